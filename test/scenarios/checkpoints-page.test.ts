import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditList } from '../../src/protocol/api/audit.ts';
import type { CheckpointList, RevertDone, RevertPreview } from '../../src/protocol/api/checkpoints.ts';
import type { WaitingPermission } from '../../src/protocol/http.ts';
import type { Session } from '../../src/protocol/session.ts';
import { findChromium, sharedChromium } from '../support/browser/chromium.ts';
import { signInWithoutPage } from '../support/browser/person.ts';
import { repository, shell } from '../support/checkpoints/turns.ts';
import { api } from '../support/client.ts';
import { commandLine, startServer, type TestServer } from '../support/real-server.ts';
import { waitFor } from '../support/wait-for.ts';

const found = findChromium();
const isBuilt = existsSync(resolve(import.meta.dirname, '../../dist/web/index.html'));
const ROOT = resolve(import.meta.dirname, '../..');

let server: TestServer;
let browser: Browser | undefined;
beforeAll(async () => {
  // Slow enough that the first tool never wins against the checkpoint, on any machine.
  server = await startServer({ env: { DEMO_AGENT_PACE_MS: '100' } });
  repository(server.project);
  if ('path' in found && isBuilt) browser = await sharedChromium(found.path);
});
afterAll(async () => {
  await browser?.close();
  await server.close();
});

const path = (name: string) => join(server.project, name);
const list = async (id: string) => (await api<CheckpointList>(server, 'GET', `/api/sessions/${id}/checkpoints`)).body;

/** A turn of the demo agent in which a command changes files as well. */
async function turn(id: string, command: string): Promise<void> {
  const before = (await api<Session>(server, 'GET', `/api/sessions/${id}`)).status === 200 ? (await list(id)).checkpoints.length : 0;
  if (before === 0) await api(server, 'POST', '/api/sessions', { id, agent: 'demo', cwd: server.project, prompt: 'write a note' });
  else await api(server, 'POST', `/api/sessions/${id}/input`, { text: 'write a note' });
  const request = await waitFor(
    'a request',
    async () => (await api<{ permissions: WaitingPermission[] }>(server, 'GET', `/api/permissions?session=${id}`)).body.permissions[0],
  );
  await waitFor('the checkpoint before', async () => (await list(id)).checkpoints.length > before);
  shell(server.project, command);
  await api(server, 'POST', `/api/permissions/${encodeURIComponent(request.requestId)}`, { behavior: 'allow' });
  await waitFor('the checkpoint after', async () => (await list(id)).checkpoints.at(-1)?.when === 'after');
}

test('over HTTP and in the terminal: a preview, a revert that names its undo, unknown fields refused, and no way for viewers and agents', async () => {
  await turn('http', 'sed -i s/one/1/ a.txt; echo x > made');
  const [first] = (await list('http')).turns;
  expect(first?.files.map((file) => file.path)).toEqual(['a.txt', 'demo-notes.md', 'made']);
  const to = first?.to;
  const preview = await api<RevertPreview>(server, 'POST', '/api/sessions/http/revert', { to, dryRun: true });
  expect(preview.body).toMatchObject({
    dryRun: true,
    files: [{ path: 'a.txt' }, { path: 'demo-notes.md', action: 'delete' }, { path: 'made', action: 'delete' }],
  });
  const unknown = await api<{ error: { message: string } }>(server, 'POST', '/api/sessions/http/revert', { to, dryrun: true });
  expect([unknown.status, unknown.body.error.message]).toEqual([400, expect.stringContaining('dryrun')]);
  const viewer = (await api<{ token: string }>(server, 'POST', '/api/tokens', { name: 'vera', role: 'viewer' })).body.token;
  expect((await api({ ...server, url: server.url, token: viewer }, 'POST', '/api/sessions/http/revert', { to })).status).toBe(403);
  const { pid } = (await api<Session>(server, 'GET', '/api/sessions/http')).body;
  const agent = /SIGNALBOX_RUN_TOKEN=([^\0]+)/.exec(readFileSync(`/proc/${pid}/environ`, 'utf8'))?.[1] ?? '';
  expect((await api({ url: server.url, token: agent }, 'POST', '/api/sessions/http/revert', { to })).status).toBe(403);
  const lines = await waitFor('both audit lines', async () => {
    const { entries } = (await api<AuditList>(server, 'GET', '/api/audit?limit=20')).body;
    const found = entries.filter(({ action }) => action === 'act.refused' || action === 'agent.refused');
    return found.length === 2 ? found : undefined;
  });
  expect(lines.map(({ actor }) => actor.kind).toSorted()).toEqual(['agent', 'person']);
  for (const { words } of lines) expect(words).toContain('POST /api/sessions/:id/revert');
  const done = await api<RevertDone>(server, 'POST', '/api/sessions/http/revert', { to, commandId: 'r-1' });
  expect(done.body).toMatchObject({ dryRun: false, undo: { seq: expect.any(Number) } });
  expect((await api<RevertDone>(server, 'POST', '/api/sessions/http/revert', { to, commandId: 'r-1' })).body).toEqual(done.body);
  expect([existsSync(path('made')), readFileSync(path('a.txt'), 'utf8')]).toEqual([false, 'one\ntwo\n']);
  const [command = '', ...args] = commandLine();
  const run = (...more: string[]) =>
    promisify(execFile)(command, [...args, 'revert', 'http', '--data', server.data, '--json', ...more], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: server.home },
    });
  const undone = JSON.parse((await run('--to', String(done.body.undo?.seq))).stdout);
  expect(undone.files).toHaveLength(3);
  expect([existsSync(path('made')), readFileSync(path('a.txt'), 'utf8')]).toEqual([true, '1\ntwo\n']);
});

test.skipIf('skip' in found || !isBuilt)('on the page: files by turn, a preview, a refused hand edit that can be forced, and undo', async () => {
  if (browser === undefined) return;
  await turn('page', 'echo agent >> b.txt; chmod +x sub/c.txt; echo y > other');
  writeFileSync(path('b.txt'), 'by hand\n');
  const { page } = await signInWithoutPage(browser, server);
  await page.goto(`${server.url}/s/page/changes?from=turns`);
  await page.getByRole('button', { name: 'Revert b.txt' }).waitFor();
  await page.getByRole('button', { name: 'other', exact: true }).click();
  await page.getByText('+y').first().waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Revert…', exact: true }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Restore files' });
  await dialog.getByText('Somebody edited it after the agent.').waitFor();
  await dialog.getByText('Not covered: ignored files').waitFor();
  await dialog.getByRole('checkbox', { name: /b\.txt/ }).check();
  await dialog.getByRole('button', { name: 'Restore 4 files' }).click();
  await dialog.getByRole('button', { name: 'Undo' }).waitFor();
  expect([readFileSync(path('b.txt'), 'utf8'), existsSync(path('other'))]).toEqual(['b\n', false]);
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => readFileSync(path('b.txt'), 'utf8')).toBe('by hand\n');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByText('4 files restored').first().waitFor();
});

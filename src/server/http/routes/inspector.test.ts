import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { InMemoryIndex } from '../../../../test/support/server/in-memory-index.ts';
import { startTestServer, type TestServer } from '../../../../test/support/server/test-server.ts';
import type { EventBody } from '../../../protocol/event.ts';
import type { SessionId } from '../../../protocol/ids.ts';
import { LIMITS } from '../../../protocol/limits.ts';

const S1 = 's1' as SessionId;
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const past = new InMemoryIndex();

let server: TestServer;
let home: string;
let folder: string;
beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-sides-')));
  folder = join(home, 'project');
  mkdirSync(join(folder, 'src'), { recursive: true });
  mkdirSync(join(home, 'other'));
  mkdirSync(join(home, 'data'));
  writeFileSync(join(home, 'other/key'), 'the secret');
  server = await startTestServer({}, { allowedRoots: { roots: [home], dataFolder: join(home, 'data') }, sessionIndex: past.sessionIndex });
  await server.post('/api/sessions', { agent: 'stand-in', cwd: folder, id: S1 });
});
afterEach(async () => {
  await server.close();
  rmSync(home, { recursive: true, force: true });
});

const get = (path: string, token = server.token.viewer) => server.fetch(`/api/sessions/s1/${path}`, { headers: { authorization: `Bearer ${token}` } });
const json = async (path: string) => (await get(path)).json();
const files = (path: string) => json(`files?path=${encodeURIComponent(path)}`);
const completed = (id: string, path: string, patch: string, more: object = {}): EventBody =>
  ({ type: 'tool.completed', toolUseId: id, output: '', isError: false, change: { kind: 'edit', path, patch }, ...more }) as EventBody;

test('a viewer sees what the tools changed, grouped by file, and later changes too', async () => {
  server.engine.observe(S1, completed('1', join(folder, 'a.ts'), '@@ -1,1 +1,1 @@\n-x\n+y\n'));
  expect(await json('changes')).toMatchObject({ additions: 1, edits: 1 });
  server.engine.observe(S1, completed('2', 'a.ts', '@@ -1,1 +1,2 @@\n y\n+z'));
  expect(await json('changes')).toMatchObject({
    changes: [{ path: join(folder, 'a.ts'), kind: 'edit', patch: '@@ -1,1 +1,2 @@\n-x\n+y\n+z\n', parts: [{ edits: 2, hunks: 1 }] }],
    additions: 2,
    deletions: 1,
  });
  expect((await server.fetch('/api/sessions/unknown/changes')).status).toBe(404);
});

test('patches that are too large for one answer are left out, and included when the file is requested alone', async () => {
  const long = `@@ -0,0 +1,1000 @@\n${`+${'x'.repeat(60)}\n`.repeat(1000)}`;
  const count = Math.ceil(LIMITS.changesBytes / long.length) + 1;
  server.engine.observe(S1, ...Array.from({ length: count }, (_, n) => completed(`${n}`, `f${n}`, long)));
  const { changes } = await json('changes');
  expect(changes).toHaveLength(count);
  expect(changes.filter((file: { patch?: string }) => file.patch === undefined)).toHaveLength(2);
  expect((await json(`changes?path=f${count - 1}`)).changes).toMatchObject([{ patch: long, additions: 1000 }]);
});

test('a patch stored as a blob is read up to the limit, and marked as cut beyond it', async () => {
  const whole = `@@ -0,0 +1,2000 @@\n${`+${'x'.repeat(60)}\n`.repeat(2000)}`;
  const sha256 = server.engine.putBlob(Buffer.from(whole));
  const blobs = (bytes: number) => ({ blobs: { 'change.patch': { sha256, bytes } } });
  server.engine.observe(
    S1,
    completed('1', 'a', whole.slice(0, 100), blobs(LIMITS.patchBytes)),
    completed('2', 'b', whole.slice(0, 100), blobs(LIMITS.patchBytes + 1)),
  );
  const { changes } = await json('changes');
  expect(changes.map((file: { additions: number; cut?: boolean }) => [file.additions, file.cut])).toEqual([
    [2000, undefined],
    [2, true],
  ]);
});

test('a folder is listed with the type of each entry; a link that leads outside is shown but not followed', async () => {
  writeFileSync(join(folder, 'b.txt'), 'hello');
  symlinkSync(join(home, 'other'), join(folder, 'way-out'));
  symlinkSync('b.txt', join(folder, 'a-link'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  expect(await files('.')).toMatchObject({
    kind: 'folder',
    path: folder,
    entries: [
      { name: 'src', kind: 'folder' },
      { name: 'a-link', kind: 'file', bytes: 5, target: 'b.txt' },
      { name: 'b.txt', kind: 'file', bytes: 5 },
      { name: 'pipe', kind: 'other' },
      { name: 'way-out', kind: 'link', target: join(home, 'other') },
    ],
    more: false,
  });
  expect((await get('files?path=pipe')).status).toBe(422);
});

const waysOut = ['../other/key', 'src/../../other/key', 'way-out', 'way-out/key', 'file-out', '/etc/passwd', '/proc/self/environ', '..'] as const;
for (const path of waysOut) {
  test(`${path} leads out of the session’s folder and is refused`, async () => {
    symlinkSync(join(home, 'other'), join(folder, 'way-out'));
    symlinkSync(join(home, 'other/key'), join(folder, 'file-out'));
    const answer = await get(`files?path=${encodeURIComponent(path)}`);
    expect([answer.status, await answer.text()]).toEqual([403, expect.not.stringContaining('the secret')]);
    expect((await get(`files/image?path=${encodeURIComponent(path)}`)).status).toBe(403);
  });
}

test('a path with a null character is refused, and a missing one is not found', async () => {
  expect((await get('files?path=a%00b')).status).toBe(400);
  expect((await get('files?path=nothing')).status).toBe(404);
});

test('a session in a folder above the data folder can’t open it', async () => {
  await server.post('/api/sessions', { agent: 'stand-in', cwd: home, id: 'above' });
  writeFileSync(join(home, 'data/token'), 'the secret');
  expect((await server.fetch('/api/sessions/above/files?path=data/token')).status).toBe(403);
  expect((await server.fetch('/api/sessions/above/files?path=data')).status).toBe(403);
});

test('a session’s additional folders are shown too, by their full path', async () => {
  await server.post('/api/sessions', { agent: 'stand-in', cwd: folder, id: 'more', addDirs: [join(home, 'other')] });
  const answer = await server.fetch(`/api/sessions/more/files?path=${encodeURIComponent(join(home, 'other/key'))}`);
  expect(await answer.json()).toMatchObject({ kind: 'file', text: 'the secret', root: join(home, 'other'), roots: [folder, join(home, 'other')] });
});

test('[R250] a record that names a folder where no session may run opens nothing', async () => {
  past.put('elsewhere' as SessionId, ['x'], { cwd: '/etc' });
  const answer = await server.fetch('/api/sessions/elsewhere/files?path=passwd');
  expect([answer.status, await answer.text()]).toEqual([403, expect.not.stringContaining('root:')]);
  expect((await server.fetch('/api/sessions/elsewhere/tree')).status).toBe(403);
});

test('a deleted folder gets a readable message', async () => {
  rmSync(folder, { recursive: true });
  const answer = await get('files');
  expect([answer.status, (await answer.json()).error.message]).toEqual([404, expect.stringContaining('no longer exists')]);
});

test('a text is shown up to the limit and cut at a whole character; other files are reported as binary', async () => {
  writeFileSync(join(folder, 'edge'), 'x'.repeat(LIMITS.fileTextBytes));
  writeFileSync(join(folder, 'over'), `${'x'.repeat(LIMITS.fileTextBytes - 1)}é`);
  writeFileSync(join(folder, 'bytes'), Buffer.from([0xff, 0xfe, 0, 1]));
  writeFileSync(join(folder, 'page.svg'), '<svg onload="alert(1)"/>');
  expect(await files('edge')).toMatchObject({ content: 'text', text: 'x'.repeat(LIMITS.fileTextBytes) });
  expect((await files('edge')).cut).toBeUndefined();
  expect(await files('over')).toMatchObject({ content: 'text', cut: true, bytes: LIMITS.fileTextBytes + 1, text: 'x'.repeat(LIMITS.fileTextBytes - 1) });
  expect(await files('bytes')).toMatchObject({ content: 'binary', bytes: 4 });
  expect(await files('page.svg')).toMatchObject({ content: 'text' });
});

test('a folder with more entries than the limit says that there are more', async () => {
  for (let n = 0; n <= LIMITS.folderEntries; n++) writeFileSync(join(folder, 'src', `${n}`), '');
  const { entries, more } = await files('src');
  expect([entries.length, more]).toEqual([LIMITS.folderEntries, true]);
});

test('an image is served with the type of its bytes, in a sandbox; no other file is served', async () => {
  writeFileSync(join(folder, 'x.html'), PNG);
  writeFileSync(join(folder, 'page.png'), '<script>alert(1)</script>');
  expect(await files('x.html')).toMatchObject({ content: 'image' });
  const image = await get('files/image?path=x.html');
  expect([image.status, image.headers.get('content-type'), image.headers.get('x-content-type-options')]).toEqual([200, 'image/png', 'nosniff']);
  expect(image.headers.get('content-security-policy')).toContain('sandbox');
  expect((await get('files/image?path=page.png')).status).toBe(422);
  writeFileSync(join(folder, 'big.png'), Buffer.concat([PNG, Buffer.alloc(LIMITS.fileImageBytes)]));
  expect((await get('files/image?path=big.png')).status).toBe(413);
});

test('the timeline of a session shows its turns', async () => {
  server.engine.observe(S1, { type: 'turn.started', turnId: 't', cause: 'input' } as EventBody, completed('1', 'a', ''));
  expect(await json('timeline')).toMatchObject({ turns: [{ outcome: 'open' }], tools: [], waits: [], context: [], compactions: [] });
});

test('without a repository the working tree says so, and without runs there are no raw lines', async () => {
  expect(await json('tree')).toEqual({ repository: false, reason: 'This folder is not in a git repository.' });
  expect(await json('raw')).toEqual({ source: 'record', runs: [], side: 'out', lines: [], after: 0, more: false });
  expect((await get('raw?before=1&after=1')).status).toBe(400);
  expect((await get('raw?run=nobody')).status).toBe(404);
  expect((await get('raw?run=../../x')).status).toBe(400);
});

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { allowedFolder, allowedPath, listFolders } from './allowed-roots.ts';
import { systemFolderOf } from './system-folders.ts';

let root: string;
const allowedRoots = (roots = [root]) => ({ roots, dataFolder: join(root, 'data') });
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-folders-')));
  for (const folder of ['b/.git', 'a', '.hidden', 'data/sessions']) mkdirSync(join(root, folder), { recursive: true });
  symlinkSync('/', join(root, 'out'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('without a path, the allowed folders are listed', async () => {
  expect(await listFolders(allowedRoots())).toMatchObject({ folders: [{ path: root }] });
});

test('a folder lists its subfolders by name, marks repositories, and has its parent', async () => {
  const inside = await listFolders(allowedRoots(), root);
  expect(inside).toEqual({
    path: root,
    folders: [
      { name: 'a', path: join(root, 'a'), isRepository: false },
      { name: 'b', path: join(root, 'b'), isRepository: true },
    ],
  });
  expect(await listFolders(allowedRoots(), join(root, 'a'))).toMatchObject({ parent: root, folders: [] });
});

test('a folder outside the allowed roots is refused, also through a link or ".."', async () => {
  for (const path of ['/', join(root, 'out'), join(root, '..')])
    expect(await listFolders(allowedRoots(), path)).toMatchObject({ refused: 'not-allowed-folder' });
});

const paths: readonly (readonly [string, () => string, string])[] = [
  ['a relative path', () => 'a', 'not an absolute path'],
  ['a path that does not exist', () => join(root, 'nowhere'), 'There is no folder'],
  ['a zero byte', () => join(root, 'a\0b'), 'not an absolute path'],
  ['the data folder', () => join(root, 'data'), "Signalbox's data folder"],
  ['a folder in the data folder', () => join(root, 'data', 'sessions'), "Signalbox's data folder"],
  ['a link to the data folder', () => join(root, 'to-data'), "Signalbox's data folder"],
  ['a link out of the allowed folders', () => join(root, 'up'), 'SIGNALBOX_ROOTS'],
  ['a sibling folder whose name starts the same', () => `${root}-beside`, 'SIGNALBOX_ROOTS'],
  ['a link to a system folder', () => join(root, 'to-etc'), 'the system folder /etc'],
];
for (const [title, path, words] of paths) {
  test(`no session runs in ${title}`, async () => {
    mkdirSync(`${root}-beside`);
    symlinkSync(join(root, 'data'), join(root, 'to-data'));
    symlinkSync('/etc', join(root, 'to-etc'));
    symlinkSync(join(root, '..'), join(root, 'up'));
    expect(await allowedFolder(path(), allowedRoots())).toMatchObject({ message: expect.stringContaining(words) });
    rmSync(`${root}-beside`, { recursive: true });
  });
}

test('a folder inside an allowed one is allowed by its real path', async () => {
  symlinkSync(join(root, 'a'), join(root, 'b', 'link'));
  expect(await allowedFolder(join(root, 'b', 'link'), allowedRoots())).toBe(join(root, 'a'));
});

test('a file is allowed where folders are, and a folder does not count as a file', async () => {
  writeFileSync(join(root, 'a', 'mcp.json'), '{}');
  expect(await allowedPath(join(root, 'a', 'mcp.json'), allowedRoots(), 'file')).toBe(join(root, 'a', 'mcp.json'));
  expect(await allowedPath(join(root, 'a'), allowedRoots(), 'file')).toMatchObject({ message: expect.stringContaining('There is no file') });
  expect(await allowedPath('/etc/passwd', allowedRoots(['/']), 'file')).toMatchObject({ message: expect.stringContaining('/etc') });
});

test('even with / allowed, no session runs in / or in system folders', async () => {
  for (const path of ['/', '/etc', '/usr/bin', '/proc/self', '/dev', '/sys', '/var/log']) {
    expect(await allowedFolder(path, allowedRoots(['/']))).toMatchObject({ refused: 'not-allowed-folder', message: expect.stringContaining('system folder') });
  }
  expect(await allowedFolder(join(root, 'a'), allowedRoots(['/']))).toBe(join(root, 'a'));
});

test('even with / allowed, system folders are not listed', async () => {
  const top = await listFolders(allowedRoots(['/']), '/');
  const names = 'folders' in top ? top.folders.map((folder) => folder.name) : [];
  expect(names).toContain('home');
  expect(names).not.toContain('etc');
  expect(await listFolders(allowedRoots(['/']), '/etc')).toMatchObject({ refused: 'not-allowed-folder' });
});

const systemFolders: readonly (readonly [string, readonly string[], string | undefined])[] = [
  ['/', ['/'], '/'],
  ['/etc', ['/'], '/etc'],
  ['/etcetera', ['/'], undefined],
  ['/usr/local/src', ['/usr/local'], '/usr'],
  ['/root/work', ['/'], undefined],
  ['/var', ['/'], '/var'],
  ['/var', ['/var'], '/var'],
  ['/var/lib/box', ['/'], '/var'],
  ['/var/lib/box/p', ['/var/lib/box'], undefined],
  ['/var/lib/other', ['/var/lib/box'], '/var'],
  ['/var/tmp/p', ['/'], undefined],
  ['/private/var/folders/x', ['/'], undefined],
  ['/System/Volumes', ['/'], '/System'],
  ['/Library/Caches', ['/'], '/Library'],
  ['/mnt/c/Windows/System32', ['/'], '/mnt/c/Windows'],
  ['/mnt/c/Users/a', ['/'], undefined],
];
for (const [path, roots, system] of systemFolders) {
  test(`${path} with ${roots.join(', ')} allowed ${system === undefined ? 'is not a system folder' : `is in the system folder ${system}`}`, () =>
    expect(systemFolderOf(path, roots)).toBe(system));
}

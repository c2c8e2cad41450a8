import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listFolders } from './folders.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-folders-')));
  for (const folder of ['b/.git', 'a', '.hidden']) mkdirSync(join(root, folder), { recursive: true });
  symlinkSync('/', join(root, 'out'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('without a path the allowed folders are there to choose from', async () => {
  expect(await listFolders([root])).toMatchObject({ folders: [{ path: root }] });
});

test('a folder shows its folders by name, which of them is a repository, and the way up', async () => {
  const inside = await listFolders([root], root);
  expect(inside).toEqual({
    path: root,
    folders: [
      { name: 'a', path: join(root, 'a'), isRepository: false },
      { name: 'b', path: join(root, 'b'), isRepository: true },
    ],
  });
  expect(await listFolders([root], join(root, 'a'))).toMatchObject({ parent: root, folders: [] });
});

test('what lies outside is not shown, by whatever way it is asked for', async () => {
  for (const path of ['/', join(root, 'out'), join(root, '..')]) expect(await listFolders([root], path)).toMatchObject({ refused: 'not-allowed-folder' });
});

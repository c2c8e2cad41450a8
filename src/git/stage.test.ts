import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRepository, type TestRepository, thirtyLines } from '../../test/support/git/repository.ts';
import type { HunkName, Side, SideFile } from '../protocol/api/finish.ts';
import { finishStatus } from './finish-status.ts';
import { repositoryOf } from './repository.ts';
import { sideDiff } from './side-diff.ts';
import { type ActPlace, discard, stage, unstage } from './stage.ts';

const EVERYWHERE = { roots: ['/'], dataFolder: '/nowhere' };

let repo: TestRepository;
let place: ActPlace;
beforeEach(async () => {
  repo = createRepository();
  repo.write('a.txt', thirtyLines());
  repo.git('add', '.');
  repo.git('commit', '-qm', 'first');
  place = await placeOf(repo.folder);
});
afterEach(() => repo.remove());

async function placeOf(folder: string): Promise<ActPlace> {
  const read = await repositoryOf(folder);
  if ('words' in read) throw new Error(read.words);
  return { read, act: { cwd: folder, env: repo.env } };
}

async function status() {
  const found = await finishStatus(place.read, EVERYWHERE);
  if ('words' in found) throw new Error(found.words);
  return found;
}

const fileOn = async (side: Side, path: string): Promise<SideFile> => {
  const file = (await status())[side].find((each) => each.path === path);
  if (file === undefined) throw new Error(`${path} is not ${side}`);
  return file;
};

async function hunksOf(side: Side, path: string): Promise<readonly HunkName[]> {
  const { hunks } = await sideDiff(place.read, side, await fileOn(side, path));
  return hunks.map(({ header, sha256 }) => ({ path, header, sha256 }));
}

const stageFile = async (path: string) => stage(place, { files: [await fileOn('unstaged', path)] });

test('[R335] one hunk of three is staged, and exactly that one', async () => {
  repo.write('a.txt', thirtyLines([2, 15, 28]));
  const [, second] = await hunksOf('unstaged', 'a.txt');
  expect(await hunksOf('unstaged', 'a.txt')).toHaveLength(3);
  expect(await stage(place, { hunks: second === undefined ? [] : [second] })).toBeUndefined();
  expect(repo.git('show', ':a.txt')).toBe(thirtyLines([15]));
  expect(repo.read('a.txt')).toBe(thirtyLines([2, 15, 28]));
  expect(await hunksOf('unstaged', 'a.txt')).toHaveLength(2);
});

test('[R336] a hunk that is no longer there is refused, and nothing of the call is applied', async () => {
  repo.write('a.txt', thirtyLines([2, 15, 28]));
  const [first, second] = await hunksOf('unstaged', 'a.txt');
  if (first === undefined || second === undefined) throw new Error('no hunks');
  repo.write('a.txt', thirtyLines([2, 15, 28]).replace('line 15 changed', 'line 15 changed again'));
  expect(await stage(place, { hunks: [first, second] })).toMatchObject({ refused: 'conflict', message: expect.stringContaining('has changed since') });
  expect(repo.git('diff', '--cached')).toBe('');
});

test('a staged hunk is unstaged alone, and an unstaged one is discarded alone', async () => {
  repo.write('a.txt', thirtyLines([2, 15, 28]));
  await stageFile('a.txt');
  const [first] = await hunksOf('staged', 'a.txt');
  if (first === undefined) throw new Error('no hunks');
  expect(await unstage(place, { hunks: [first] }, true)).toBeUndefined();
  expect(repo.git('show', ':a.txt')).toBe(thirtyLines([15, 28]));
  const [left] = await hunksOf('unstaged', 'a.txt');
  if (left === undefined) throw new Error('no hunks');
  expect(await discard(place, { hunks: [left] })).toBeUndefined();
  expect(repo.read('a.txt')).toBe(thirtyLines([15, 28]));
});

test('[R337] paths with newlines, signs of a pathspec and leading dashes are data', async () => {
  const names = ['with\nnewline.txt', ':(top)x.txt', '--upload-pack=x', '*.txt', 'ä b.txt'];
  for (const name of names) repo.write(name, 'x\n');
  for (const name of names) expect(await stageFile(name)).toBeUndefined();
  expect(repo.git('diff', '--cached', '--name-only', '-z').split('\0').filter(Boolean).sort()).toEqual([...names].sort());
  repo.git('commit', '-qm', 'names');
  for (const name of names) repo.write(name, 'y\n');
  for (const name of names) expect(await stage(place, { hunks: await hunksOf('unstaged', name) })).toBeUndefined();
  expect((await status()).unstaged).toEqual([]);
});

test('deleted, new, renamed and executable files are staged and unstaged as a whole', async () => {
  repo.write('b.txt', 'b\n');
  rmSync(join(repo.folder, 'a.txt'));
  repo.write('renamed.txt', thirtyLines());
  for (const path of ['b.txt', 'a.txt', 'renamed.txt']) expect(await stageFile(path)).toBeUndefined();
  const { staged } = await status();
  expect(staged).toEqual([
    { path: 'b.txt', state: 'added' },
    { path: 'renamed.txt', oldPath: 'a.txt', state: 'renamed' },
  ]);
  expect(await unstage(place, { files: staged }, true)).toBeUndefined();
  expect(repo.git('diff', '--cached')).toBe('');
  repo.git('checkout', '-q', '--', 'a.txt');
  chmodSync(join(repo.folder, 'a.txt'), 0o755);
  expect(await sideDiff(place.read, 'unstaged', await fileOn('unstaged', 'a.txt'))).toMatchObject({
    canSplit: false,
    note: 'Only the name or the permissions changed.',
  });
});

test('before the first commit files can be unstaged again', async () => {
  repo.git('checkout', '-q', '--orphan', 'other');
  expect((await status()).head).toBeUndefined();
  expect(await unstage(place, { files: [await fileOn('staged', 'a.txt')] }, false)).toBeUndefined();
  expect((await status()).unstaged).toEqual([{ path: 'a.txt', state: 'untracked' }]);
});

test('discarding brings a file back to what is staged, and deletes one that git does not know', async () => {
  repo.write('a.txt', thirtyLines([2]));
  await stageFile('a.txt');
  repo.write('a.txt', thirtyLines([2, 15]));
  repo.write('new.txt', 'n\n');
  expect(await discard(place, { files: (await status()).unstaged })).toBeUndefined();
  expect(repo.read('a.txt')).toBe(thirtyLines([2]));
  expect(await status()).toMatchObject({ unstaged: [], staged: [{ path: 'a.txt' }] });
});

test('[R338] with line endings and a filter, staging makes the blob that git add makes', async () => {
  repo.git('config', 'core.autocrlf', 'true');
  repo.git('config', 'filter.caps.clean', 'tr a-z A-Z');
  repo.write('.gitattributes', '*.caps filter=caps\n');
  repo.write('crlf.txt', thirtyLines().replaceAll('\n', '\r\n'));
  repo.write('f.caps', 'abc\n');
  repo.git('add', '.');
  repo.git('commit', '-qm', 'both');
  repo.write('crlf.txt', thirtyLines([2, 15]).replaceAll('\n', '\r\n'));
  repo.write('f.caps', 'abc\nd\n');
  place = await placeOf(repo.folder);
  const [first] = await hunksOf('unstaged', 'crlf.txt');
  if (first === undefined) throw new Error('no hunks');
  expect(await stage(place, { hunks: [first] })).toBeUndefined();
  expect(repo.git('show', ':crlf.txt')).toBe(thirtyLines([2]));
  const diff = await sideDiff(place.read, 'unstaged', await fileOn('unstaged', 'f.caps'));
  expect(diff).toMatchObject({ canSplit: false, note: expect.stringContaining('filter') });
  expect(await stage(place, { hunks: diff.hunks.map(({ header, sha256 }) => ({ path: 'f.caps', header, sha256 })) })).toMatchObject({ refused: 'conflict' });
  expect(await stageFile('f.caps')).toBeUndefined();
  expect(repo.git('show', ':f.caps')).toBe('ABC\nD\n');
});

test('[R339] a lock of another git command is waited for, reported with its age, and never deleted', async () => {
  repo.write('a.txt', thirtyLines([2]));
  const lock = join(repo.folder, '.git/index.lock');
  writeFileSync(lock, '');
  expect(await stage({ ...place, lockMs: 150 }, { files: [await fileOn('unstaged', 'a.txt')] })).toMatchObject({
    refused: 'conflict',
    message: expect.stringMatching(/index\.lock is \d+ s old/),
  });
  const soon = stageFile('a.txt');
  setTimeout(() => rmSync(lock), 200);
  expect(await soon).toBeUndefined();
  expect((await status()).staged).toHaveLength(1);
});

test('in a folder below the top, hunks and paths are those of that folder', async () => {
  repo.write('sub/s.txt', thirtyLines());
  repo.git('add', '.');
  repo.git('commit', '-qm', 'sub');
  repo.write('sub/s.txt', thirtyLines([2, 15]));
  repo.write('a.txt', thirtyLines([2]));
  repo.git('add', 'a.txt');
  place = await placeOf(join(repo.folder, 'sub'));
  expect(await status()).toMatchObject({ unstaged: [{ path: 's.txt' }], staged: [], stagedElsewhere: 1 });
  const [first] = await hunksOf('unstaged', 's.txt');
  if (first === undefined) throw new Error('no hunks');
  expect(await stage(place, { hunks: [first] })).toBeUndefined();
  expect(repo.git('show', ':sub/s.txt')).toBe(thirtyLines([2]));
});

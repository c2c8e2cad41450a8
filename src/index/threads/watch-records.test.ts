import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { RecordWatch } from './watch-records.ts';

function watched(...roots: readonly string[]) {
  const files: string[] = [];
  let folders = 0;
  const watch = new RecordWatch({ file: (path) => files.push(path), folder: () => folders++ });
  onTestFinished(() => watch.close());
  watch.cover(roots);
  return { files, watch, folders: () => folders };
}

test('a folder that was deleted and recreated is watched again', async () => {
  const root = temporaryFolder('records');
  const folder = join(root, 'project');
  mkdirSync(folder);
  const { files, watch } = watched(root);
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  watch.cover([root]);
  writeFileSync(join(folder, 'one.jsonl'), 'x');
  await waitFor('the file in the new folder', () => files.includes(join(folder, 'one.jsonl')));
});

test('an unreadable root is awaited and breaks nothing', () => {
  const loop = join(temporaryFolder('records'), 'loop');
  symlinkSync(loop, loop);
  expect(() => watched(join(loop, 'deeper', 'still'))).not.toThrow();
});

test('each of several missing roots is awaited in the folder it would be in', async () => {
  const home = temporaryFolder('home');
  const { folders } = watched(join(home, 'first', 'sessions'), join(home, 'second', 'sessions'));
  mkdirSync(join(home, 'second'));
  await waitFor('the folder of the second', () => folders() > 0);
});

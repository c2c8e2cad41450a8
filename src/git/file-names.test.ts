import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileNamesIn } from './file-names.ts';

let base: string;
let folder: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'signalbox-names-'));
  folder = join(base, 'project');
  put('src/a.ts', 'src/deep/er/b.ts', 'node_modules/x/index.js', '.cache/c');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function put(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
}

const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });

test('a folder without git is walked, skipping hidden folders and node_modules', async () => {
  expect(await fileNamesIn(folder)).toEqual({ names: ['src/a.ts', 'src/deep/er/b.ts'], isWhole: true });
});

test('in a repository, files that git tracks or doesn’t ignore are listed', async () => {
  git('init', '-q');
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n.cache\nsecret.txt\n');
  put('secret.txt', 'odd “name”\n.txt');
  git('add', 'src/a.ts');
  const { names } = await fileNamesIn(folder);

  expect([...names].sort()).toEqual(['.gitignore', 'odd “name”\n.txt', 'src/a.ts', 'src/deep/er/b.ts']);
});

test('links that lead out of the folder are not followed', async () => {
  mkdirSync(join(base, 'elsewhere'));
  writeFileSync(join(base, 'elsewhere', 'private.txt'), '');
  symlinkSync(join(base, 'elsewhere'), join(folder, 'way-out'));

  expect((await fileNamesIn(folder)).names).toEqual(['src/a.ts', 'src/deep/er/b.ts']);
});

test('a program that the repository’s settings name is not run', async () => {
  git('init', '-q');
  const trap = join(base, 'trap.sh');
  writeFileSync(trap, `#!/bin/sh\ntouch ${join(base, 'sprung')}\n`);
  chmodSync(trap, 0o755);
  git('config', 'core.fsmonitor', trap);
  await fileNamesIn(folder);

  expect(existsSync(join(base, 'sprung'))).toBe(false);
});

test('a folder that doesn’t exist has no files', async () => {
  expect(await fileNamesIn(join(base, 'nowhere'))).toEqual({ names: [], isWhole: true });
});

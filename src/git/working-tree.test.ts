import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LIMITS } from '../protocol/limits.ts';
import { workingTree } from './working-tree.ts';

const ALLOWED_ROOTS = { roots: ['/'], dataFolder: '/nowhere' };

let home: string;
let folder: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-tree-')));
  folder = join(home, 'project');
  mkdirSync(folder);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
  });
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const initRepository = () => {
  git('init', '-q', '-b', 'main');
  write('a.txt', 'one\ntwo\n');
  write('gone.txt', 'x\n');
  git('add', '.');
  git('commit', '-qm', 'first');
};
const ask = (more: { base?: 'head' | 'start'; path?: string; startedAt?: string } = {}) =>
  workingTree({ folder, base: 'head', startedAt: '2000-01-01T00:00:00.000Z', allowedRoots: ALLOWED_ROOTS, ...more });

test('modified, staged, new and deleted files are reported as such', async () => {
  initRepository();
  write('a.txt', 'one\nTWO\n');
  write('staged.txt', 's\n');
  git('add', 'staged.txt');
  rmSync(join(folder, 'gone.txt'));
  mkdirSync(join(folder, 'new'));
  write('new/with a blank\nand a line.txt', 'n\n');
  const tree = await ask();
  expect(tree).toMatchObject({ repository: true, branch: 'main', base: 'head', more: false });
  expect(tree.repository && tree.files).toEqual([
    { path: 'a.txt', state: 'modified', staged: false, unstaged: true },
    { path: 'gone.txt', state: 'deleted', staged: false, unstaged: true },
    { path: 'staged.txt', state: 'added', staged: true, unstaged: false },
    { path: 'new/with a blank\nand a line.txt', state: 'untracked', staged: false, unstaged: true },
  ]);
});

test('with a path the diff comes as hunks, also for an untracked file', async () => {
  initRepository();
  write('a.txt', 'one\nTWO\n');
  write('fresh.txt', 'f\n');
  expect(await ask({ path: 'a.txt' })).toMatchObject({ patch: '@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n' });
  expect(await ask({ path: join(folder, 'fresh.txt') })).toMatchObject({ patch: '@@ -0,0 +1 @@\n+f\n' });
  expect(await ask({ path: 'gone.txt' })).toMatchObject({ note: expect.stringContaining('no uncommitted changes') });
});

test('a session in a subfolder sees only its own folder', async () => {
  initRepository();
  mkdirSync(join(folder, 'below'));
  write('below/b.txt', 'b\n');
  write('a.txt', 'changed\n');
  const tree = await workingTree({ folder: join(folder, 'below'), base: 'head', startedAt: '', path: 'b.txt', allowedRoots: ALLOWED_ROOTS });
  expect(tree).toMatchObject({ files: [{ path: 'b.txt', state: 'untracked' }], patch: '@@ -0,0 +1 @@\n+b\n' });
});

test('compared with the commit at the session’s start, later commits count as changes too', async () => {
  initRepository();
  const startedAt = new Date(Date.now() + 1000).toISOString();
  const [head] = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder }).toString().split('\n');
  write('a.txt', 'one\nTWO\n');
  const later = { PATH: process.env.PATH, HOME: home, GIT_COMMITTER_DATE: `@${Math.floor(Date.now() / 1000) + 60} +0000` };
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qam', 'second'], { cwd: folder, env: later });
  write('fresh.txt', 'f\n');
  expect(await ask({ startedAt })).toMatchObject({ startKnown: true, base: 'head', files: [{ path: 'fresh.txt' }] });
  expect(await ask({ startedAt, base: 'start', path: 'a.txt' })).toMatchObject({
    base: 'start',
    commit: head,
    files: [{ path: 'a.txt', state: 'modified', staged: false, unstaged: false }, { path: 'fresh.txt' }],
    patch: '@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n',
  });
  expect(await ask({ base: 'start' })).toMatchObject({ startKnown: false, base: 'head' });
});

test('a repository without commits and a folder without a repository are reported as such', async () => {
  expect(await ask()).toEqual({ repository: false, reason: 'This folder is not in a git repository.' });
  git('init', '-q');
  write('a.txt', 'a\n');
  const tree = await ask({ path: 'a.txt' });
  expect(tree).toMatchObject({ repository: true, files: [{ path: 'a.txt', state: 'untracked' }], patch: '@@ -0,0 +1 @@\n+a\n' });
});

test('binary files and files that are too long are reported as such', async () => {
  initRepository();
  write('bytes', '\0\x01\x02');
  write('long', 'a line that is one of many\n'.repeat(LIMITS.treePatchBytes / 20));
  expect(await ask({ path: 'bytes' })).toMatchObject({ note: expect.stringContaining('not a text file') });
  const long = await ask({ path: 'long' });
  expect(long).toMatchObject({ note: expect.stringContaining('Only the first 1024 KB') });
  expect(long.repository && long.patch?.length).toBeLessThanOrEqual(LIMITS.treePatchBytes);
});

test('[R248] nothing that a repository’s own settings name is run', async () => {
  initRepository();
  const ran = join(home, 'ran');
  const evil = join(home, 'evil.sh');
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> ${ran}\ncat\n`);
  chmodSync(evil, 0o755);
  for (const hook of ['post-index-change', 'pre-commit', 'fsmonitor-watchman']) {
    writeFileSync(join(folder, '.git/hooks', hook), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 });
  }
  const settings = {
    'core.fsmonitor': evil,
    'core.hooksPath': join(folder, '.git/hooks'),
    'core.pager': evil,
    'core.sshCommand': evil,
    'core.untrackedCache': 'true',
    'diff.external': evil,
    'diff.evil.command': evil,
    'diff.evil.textconv': evil,
    'filter.evil.clean': evil,
    'filter.evil.smudge': evil,
    'filter.evil.process': evil,
    'filter.evil.required': 'true',
    'filter.a=b.clean': evil,
    'protocol.allow': 'always',
    'remote.o.url': `ext::${evil} x`,
    'remote.o.promisor': 'true',
    'alias.status': `!${evil}`,
    'alias.diff': `!${evil}`,
    'color.ui': 'always',
    'diff.noprefix': 'true',
    'core.bigFileThreshold': '1',
  };
  for (const [name, value] of Object.entries(settings)) git('config', name, value);
  write('.gitattributes', '* filter=evil diff=evil\na.txt filter=a=b\n');
  write('a.txt', 'one\nTWO\n');
  write('gone.txt', 'y\n');
  write('fresh.txt', 'f\n');
  mkdirSync(join(folder, 'sub'));
  execFileSync('git', ['init', '-q', join(folder, 'sub')]);
  execFileSync('git', ['-C', join(folder, 'sub'), 'config', 'core.fsmonitor', evil]);
  expect(await ask({ path: 'a.txt' })).toMatchObject({ patch: '@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n' });
  expect(await ask({ path: 'gone.txt', base: 'start', startedAt: new Date(Date.now() + 1000).toISOString() })).toMatchObject({
    repository: true,
    patch: expect.any(String),
  });
  expect(await ask({ path: 'fresh.txt' })).toMatchObject({ patch: expect.any(String) });
  expect(existsSync(ran)).toBe(false);
});

test('[R249] a setting or a link that moves the working tree shows nothing outside the folder', async () => {
  initRepository();
  mkdirSync(join(home, 'secret'));
  writeFileSync(join(home, 'secret/key'), 'the secret\n');
  git('config', 'core.worktree', join(home, 'secret'));
  symlinkSync(join(home, 'secret'), join(folder, 'way-out'));
  const tree = await ask({ path: 'way-out' });
  expect(tree).toMatchObject({ files: [{ path: 'way-out', state: 'untracked' }] });
  expect(JSON.stringify(tree)).not.toContain('the secret');
  expect(JSON.stringify(await ask({ path: 'way-out/key' }))).not.toContain('the secret');
  expect(JSON.stringify(await ask({ path: '../secret/key' }))).not.toContain('the secret');
});

test('nothing is written to the repository', async () => {
  initRepository();
  write('a.txt', 'one\ntwo\n');
  const before = execFileSync('sha256sum', ['.git/index'], { cwd: folder }).toString();
  await ask({ path: 'a.txt' });
  expect(execFileSync('sha256sum', ['.git/index'], { cwd: folder }).toString()).toBe(before);
});

test('an empty .git does not show the repository above it', async () => {
  initRepository();
  mkdirSync(join(folder, 'inner/.git'), { recursive: true });
  expect(await workingTree({ folder: join(folder, 'inner'), base: 'head', startedAt: '', allowedRoots: ALLOWED_ROOTS })).toMatchObject({ repository: false });
});

test('the data folder inside a session’s folder is not listed, and neither are its files', async () => {
  initRepository();
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'data/token'), 'a secret\n');
  writeFileSync(join(folder, 'b.txt'), 'new\n');
  const allowedRoots = { roots: [folder], dataFolder: join(folder, 'data') };
  const tree = await workingTree({ folder, base: 'head', startedAt: '', path: 'data/token', allowedRoots });
  expect(tree).toMatchObject({ repository: true, files: [{ path: 'b.txt' }], note: 'This file has no uncommitted changes.' });
  expect(JSON.stringify(tree)).not.toContain('a secret');
});

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ADA, createEngine, type EngineSetup } from '../../../test/support/engine/test-engine.ts';
import { createRepository, openRepository, type TestRepository } from '../../../test/support/git-repository.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createCheckpoints } from '../../git/checkpoints.ts';
import { notable } from '../../git/planted.ts';
import { repositoryOf } from '../../git/repository.ts';
import { isRefusal } from '../../protocol/command.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';

const ID = 's1' as SessionId;

async function withRepository(files?: Record<string, string>, env?: Record<string, string>): Promise<{ setup: EngineSetup; repo: TestRepository }> {
  const setup: EngineSetup = await createEngine({ ...(env !== undefined && { env }), openCheckpoints: async () => createCheckpoints(setup.dataDir) });
  return { setup, repo: createRepository(join(setup.folder, 'project'), files) };
}

async function start(
  setup: EngineSetup,
  repo: TestRepository,
  more: { prompt?: string; worktree?: { name?: string; base?: string }; id?: string } = {},
): Promise<NonNullable<Session['worktree']>> {
  const { prompt, worktree = { name: 'one' }, id = ID } = more;
  const sessionId = id as SessionId;
  await setup.do({
    type: 'session.create',
    sessionId,
    agent: 'demo' as AgentId,
    cwd: repo.path,
    options: {},
    worktree,
    ...(prompt !== undefined && { prompt }),
  });
  const made = setup.engine.session(sessionId)?.worktree;
  if (made === undefined) throw new Error('the session has no worktree');
  return made;
}

const act = (setup: EngineSetup, what: Parameters<EngineSetup['engine']['actOnWorktree']>[1], id: SessionId = ID) => setup.engine.actOnWorktree(id, what, ADA);

test('[R320] a session in its own worktree: branch, folder and copied files are there before its agent starts', async () => {
  const { setup, repo } = await withRepository({ 'a.txt': 'a\n', '.gitignore': '.env\n', '.worktreeinclude': '.env\n' });
  repo.write('.env', 'KEY=1\n');
  const { path, branch } = await start(setup, repo, { prompt: 'hello' });
  await setup.event(ID, 'turn.completed');
  const types = setup.events(ID).map(({ type }) => type);
  expect(types.indexOf('worktree.made')).toBeGreaterThan(types.indexOf('worktree.prepared'));
  expect(types.indexOf('run.opened')).toBeGreaterThan(types.indexOf('worktree.made'));
  expect(types.indexOf('input.delivered')).toBeGreaterThan(types.indexOf('worktree.made'));
  expect(setup.engine.session(ID)).toMatchObject({ cwd: path, project: 'project', worktree: { state: 'made', branch: 'signalbox/one', base: 'main' } });
  expect(openRepository(path).git('branch', '--show-current')).toBe(branch);
  expect(readFileSync(join(path, '.env'), 'utf8')).toBe('KEY=1\n');
  expect(setup.events(ID).find(({ type }) => type === 'worktree.made')).toMatchObject({ copied: { files: 1, bytes: 6 } });
});

test('[R321] .worktreeinclude copies nothing from outside, no links and no tracked files, and says what it skipped', async () => {
  const { setup, repo } = await withRepository({
    'tracked.txt': 't\n',
    '.gitignore': 'secret/\nlink\n*.local\n',
    '.worktreeinclude': '../x\n/etc/passwd\nlink\nsecret/\ntracked.txt\n*.local\nplain.txt\n',
  });
  writeFileSync(join(setup.folder, 'x'), 'outside');
  symlinkSync(join(setup.folder, 'x'), join(repo.path, 'link'));
  mkdirSync(join(setup.folder, 'elsewhere'));
  writeFileSync(join(setup.folder, 'elsewhere', 'k'), 'k');
  repo.write('secret/deep/key', 'k\n');
  repo.write('a.local', 'l\n');
  repo.write('plain.txt', 'not ignored\n');
  const { path } = await start(setup, repo);
  const prepared = await setup.event(ID, 'worktree.prepared');
  expect(prepared.copied.files).toBe(2);
  expect(readFileSync(join(path, 'secret/deep/key'), 'utf8')).toBe('k\n');
  expect([existsSync(join(path, 'link')), existsSync(join(path, 'plain.txt'))]).toEqual([false, false]);
  const skipped = Object.fromEntries((prepared.skipped ?? []).map(({ path: name, why }) => [name, why]));
  expect(Object.keys(skipped).sort()).toEqual(['../x', '/etc/passwd', 'link', 'plain.txt', 'tracked.txt']);
});

test('[R322] a script of the repository runs only after a person accepted its exact text', async () => {
  const { setup, repo } = await withRepository({
    'a.txt': 'a\n',
    'setup.sh': 'echo v1 > made.txt\n',
    '.signalbox.json': JSON.stringify({ scripts: { setup: 'sh setup.sh && env > env.txt' } }),
  });
  const { path } = await start(setup, repo, { prompt: 'hello' });
  const asked = await setup.event(ID, 'permission.requested');
  expect(asked).toMatchObject({ tool: 'Setup script', input: { command: 'sh setup.sh && env > env.txt', files: ['setup.sh'] } });
  expect(setup.engine.session(ID)).toMatchObject({ status: 'waiting', worktree: { state: 'waiting' } });
  expect(existsSync(join(path, 'made.txt'))).toBe(false);
  await setup.reopen();
  await setup.do({ type: 'permission.answer', sessionId: ID, requestId: asked.requestId, behavior: 'allow', remember: { scope: 'project' } });
  await setup.event(ID, 'turn.completed');
  expect(readFileSync(join(path, 'env.txt'), 'utf8')).toMatch(new RegExp(`SIGNALBOX_WORKTREE=${path}`));
  expect(readFileSync(join(path, 'env.txt'), 'utf8')).toMatch(/SIGNALBOX_DEV_PORT=\d+/);
  // Accepted for the repository: the next session doesn't ask, until a file that the script names changes.
  await start(setup, repo, { id: 's2', worktree: { name: 'two' } });
  await setup.event('s2' as SessionId, 'worktree.made');
  repo.write('setup.sh', 'echo v2 > made.txt\n');
  repo.commit('changed');
  await start(setup, repo, { id: 's3', worktree: { name: 'three' } });
  await setup.event('s3' as SessionId, 'permission.requested');
});

test('[R323] a setup script that fails shows its last lines; the worktree stays, and Retry setup runs it again', async () => {
  const { setup, repo } = await withRepository({ '.signalbox.json': JSON.stringify({ scripts: { setup: 'test -e ../go || { echo no go; exit 3; }' } }) });
  const { path } = await start(setup, repo, { prompt: 'hello' });
  const asked = await setup.event(ID, 'permission.requested');
  await setup.do({ type: 'permission.answer', sessionId: ID, requestId: asked.requestId, behavior: 'allow' });
  expect(await setup.event(ID, 'worktree.failed')).toMatchObject({ step: 'setup', message: 'exit code 3\nno go' });
  expect(setup.engine.session(ID)).toMatchObject({ status: 'failed', worktree: { state: 'failed' } });
  writeFileSync(join(path, '..', 'go'), '');
  expect(await act(setup, { type: 'setup' })).toEqual({ done: true });
  await setup.event(ID, 'turn.completed');
  expect(setup.events(ID).filter(({ type }) => type === 'permission.requested')).toHaveLength(1);
});

test('a declined script leaves the session stopped with a reason, and Retry asks again', async () => {
  const { setup, repo } = await withRepository({ '.signalbox.json': JSON.stringify({ scripts: { setup: 'true' } }) });
  await start(setup, repo);
  const asked = await setup.event(ID, 'permission.requested');
  await setup.do({ type: 'permission.answer', sessionId: ID, requestId: asked.requestId, behavior: 'deny' });
  expect(await setup.event(ID, 'worktree.failed')).toMatchObject({ step: 'setup' });
  await act(setup, { type: 'setup' });
  await setup.event(ID, 'permission.requested', ({ seq }) => seq > asked.seq);
});

const refusals = [
  ['a folder without a repository', async (setup: EngineSetup) => ({ cwd: setup.folder, worktree: {} }), 'not in a git repository'],
  [
    'a base that does not exist',
    async (_: EngineSetup, repo: TestRepository) => ({ cwd: repo.path, worktree: { base: '--upload-pack=x' } }),
    'no branch, tag or commit',
  ],
  [
    'a base with a null character',
    async (_: EngineSetup, repo: TestRepository) => ({ cwd: repo.path, worktree: { base: 'a\0b' } }),
    'no branch, tag or commit',
  ],
  [
    'a name that is taken',
    async (_: EngineSetup, repo: TestRepository) => {
      repo.git('branch', 'signalbox/one');
      return { cwd: repo.path, worktree: { name: 'one' } };
    },
    'already a branch',
  ],
] as const;
for (const [name, wish, words] of refusals) {
  test(`a worktree is refused with a reason: ${name}`, async () => {
    const { setup, repo } = await withRepository();
    await expect(setup.do({ type: 'session.create', sessionId: ID, agent: 'demo' as AgentId, options: {}, ...(await wish(setup, repo)) })).rejects.toThrow(
      words,
    );
    expect(setup.engine.session(ID)).toBeUndefined();
  });
}

test('[R325] merge: a conflict changes nothing and names the files; a clean one moves the branch and the files where it is checked out', async () => {
  const { setup, repo } = await withRepository({ 'a.txt': 'one\n', 'b.txt': 'b\n' });
  const { path, branch } = await start(setup, repo);
  await setup.event(ID, 'worktree.made');
  const tree = openRepository(path);
  tree.write('a.txt', 'theirs\n');
  tree.commit('theirs');
  repo.write('a.txt', 'ours\n');
  const ours = repo.commit('ours');
  const merge = { type: 'merge', into: 'main', commandId: 'm1' } as const;
  const objects = repo.git('count-objects', '-v');
  expect(await act(setup, { ...merge, dryRun: true })).toMatchObject({ refused: 'conflict', details: { conflicts: ['a.txt'] } });
  expect(repo.git('count-objects', '-v')).toBe(objects);
  expect(await act(setup, merge)).toMatchObject({ refused: 'conflict', message: expect.stringContaining('a.txt') });
  expect([repo.git('rev-parse', 'HEAD'), repo.git('status', '--porcelain')]).toEqual([ours, '']);
  tree.git('reset', '-q', '--hard', 'main');
  tree.write('c.txt', 'c\n');
  tree.commit('more');
  repo.write('b.txt', 'dirty\n');
  expect(await act(setup, merge)).toMatchObject({ refused: 'conflict', message: expect.stringContaining('b.txt') });
  repo.git('checkout', '-q', '--', 'b.txt');
  expect(await act(setup, { ...merge, dryRun: true })).toEqual({ merged: { into: 'main', files: ['c.txt'], dryRun: true } });
  const merged = await act(setup, merge);
  expect(merged).toMatchObject({ merged: { into: 'main', files: ['c.txt'] } });
  expect(existsSync(join(repo.path, 'c.txt'))).toBe(true);
  expect(repo.git('branch', '--contains', branch)).toContain('main');
  expect(await act(setup, merge)).toMatchObject({ merged: { upToDate: true } });
  // A branch that looks like an option is a name.
  repo.git('update-ref', 'refs/heads/--upload-pack=x', 'main~1');
  expect(await act(setup, { type: 'merge', into: '--upload-pack=x', commandId: 'm2' })).toMatchObject({
    merged: { into: '--upload-pack=x', files: ['c.txt'] },
  });
  expect(repo.git('cat-file', '-p', 'refs/heads/--upload-pack=x:c.txt')).toBe('c');
  expect(setup.events(ID).flatMap((event) => (event.type === 'worktree.merged' ? [event.conflicts ?? 'merged'] : []))).toEqual([['a.txt'], 'merged', 'merged']);
});

test('[R324] a removal that would lose something is refused and names it; a clean, merged worktree goes and its branch stays', async () => {
  const { setup, repo } = await withRepository({ 'a.txt': 'a\n', '.gitignore': '.env\nlocal/\n', '.worktreeinclude': '.env\n' });
  repo.write('.env', 'KEY=1\n');
  const { path, branch } = await start(setup, repo);
  await setup.event(ID, 'worktree.made');
  expect(await act(setup, { type: 'remove' })).toMatchObject({ refused: 'conflict', message: expect.stringContaining('running') });
  await setup.do({ type: 'session.stop', sessionId: ID });
  await setup.event(ID, 'session.exited');
  const tree = openRepository(path);
  tree.write('mine.txt', 'committed\n');
  tree.commit('mine');
  tree.write('a.txt', 'changed\n');
  tree.write('new.txt', 'new\n');
  tree.write('.env', 'KEY=2\n');
  tree.write('local/data', 'only here\n');
  const refused = await act(setup, { type: 'remove' });
  expect(refused).toMatchObject({
    refused: 'conflict',
    details: { uncommitted: ['a.txt'], untracked: ['new.txt'], ignored: ['.env', 'local/'], commits: [{ subject: 'mine' }], running: [] },
  });
  expect(existsSync(join(path, 'new.txt'))).toBe(true);
  tree.git('checkout', '-q', '--', 'a.txt');
  tree.git('clean', '-qfdx', '-e', '.env');
  tree.write('.env', 'KEY=1\n');
  repo.git('merge', '-q', branch);
  expect(await act(setup, { type: 'remove' })).toEqual({ done: true });
  await setup.event(ID, 'worktree.removed');
  expect([existsSync(path), repo.git('branch', '--list', branch).trim()]).toEqual([false, branch]);
  await expect(setup.do({ type: 'input.send', sessionId: ID, text: 'hello' })).rejects.toThrow('Restore it');
  expect(await act(setup, { type: 'restore' })).toEqual({ done: true });
  await setup.event(ID, 'worktree.made', ({ seq }) => setup.events(ID).some((event) => event.type === 'worktree.removed' && event.seq < seq));
  expect(readFileSync(join(path, '.env'), 'utf8')).toBe('KEY=1\n');
  await setup.do({ type: 'input.send', sessionId: ID, text: 'hello' });
  await setup.event(ID, 'turn.completed');
});

test('archive runs the archive script first, removes the worktree and archives the session', async () => {
  const { setup, repo } = await withRepository({ 'a.txt': 'a\n', '.signalbox.json': JSON.stringify({ scripts: { archive: 'pwd > ../archived' } }) });
  const { path } = await start(setup, repo);
  await setup.event(ID, 'worktree.made');
  await setup.do({ type: 'session.stop', sessionId: ID });
  await setup.event(ID, 'session.exited');
  expect(await act(setup, { type: 'archive' })).toMatchObject({ refused: 'conflict', message: expect.stringContaining('card in the inbox') });
  const asked = await setup.event(ID, 'permission.requested');
  await setup.do({ type: 'permission.answer', sessionId: ID, requestId: asked.requestId, behavior: 'allow' });
  expect(await act(setup, { type: 'archive' })).toEqual({ done: true });
  await setup.event(ID, 'worktree.archived');
  expect(readFileSync(join(path, '..', 'archived'), 'utf8')).toBe(`${path}\n`);
  expect(setup.engine.session(ID)?.archived).toBe(true);
});

test('the list shows ours with their state, and others only as git lists them', async () => {
  const { setup, repo } = await withRepository();
  repo.git('worktree', 'add', '-q', '-b', 'mine', join(setup.folder, 'mine'));
  const { path } = await start(setup, repo);
  await setup.event(ID, 'worktree.made');
  openRepository(path).write('new.txt', 'x\n');
  const rows = await setup.engine.worktrees();
  expect(rows.map(({ id, state, branch, dirty, main }) => ({ ours: id !== undefined, state, branch, dirty, main }))).toEqual([
    { ours: true, state: 'made', branch: 'signalbox/one', dirty: 1, main: undefined },
    { ours: false, state: 'other', branch: 'main', dirty: undefined, main: true },
    { ours: false, state: 'other', branch: 'mine', dirty: undefined, main: undefined },
  ]);
  const preview = await setup.engine.previewWorktree(repo.path);
  expect(isRefusal(preview) || [preview.base, preview.branches.includes('mine')]).toEqual(['main', true]);
});

test('[R326] a forced removal saves every byte first, and Restore brings all of it back', async () => {
  const { setup, repo } = await withRepository({
    'a.txt': 'a\n',
    'gone.txt': 'g\n',
    'run.sh': 'true\n',
    '.gitignore': '.env\nlocal/\n',
    '.worktreeinclude': '.env\n',
  });
  repo.write('.env', 'KEY=1\n');
  const { path } = await start(setup, repo);
  await setup.event(ID, 'worktree.made');
  await setup.do({ type: 'session.stop', sessionId: ID });
  await setup.event(ID, 'session.exited');
  const tree = openRepository(path);
  tree.write('mine.txt', 'committed\n');
  const tip = tree.commit('mine');
  tree.write('a.txt', 'changed\r\n');
  tree.write('new/deep.txt', 'new\n');
  tree.write('.env', 'KEY=2\n');
  tree.write('local/data', 'only here\n');
  tree.write('big.bin', 'x'.repeat(11 * 1024 * 1024));
  tree.git('rm', '-q', 'gone.txt');
  chmodSync(join(path, 'run.sh'), 0o755);
  symlinkSync('a.txt', join(path, 'link'));
  const before = snapshot(path);
  expect(await act(setup, { type: 'remove', force: true })).toEqual({ done: true });
  const removed = await setup.event(ID, 'worktree.removed');
  expect(removed).toMatchObject({ forced: true, branchKept: true, checkpointId: expect.any(String) });
  expect([existsSync(path), repo.git('rev-parse', 'signalbox/one')]).toEqual([false, tip]);
  await setup.reopen();
  expect(await act(setup, { type: 'restore' })).toEqual({ done: true });
  await setup.event(ID, 'worktree.made', ({ seq }) => seq > removed.seq);
  expect(snapshot(path)).toEqual(before);
});

test('[R460] what the archive script or somebody else changes after the checkpoint keeps the worktree, forced or not', async () => {
  const { setup, repo } = await withRepository({
    'a.txt': 'a\n',
    '.signalbox.json': JSON.stringify({ scripts: { archive: 'for file in *.txt; do echo late >> $file; done; echo late > late' } }),
  });
  const { path } = await start(setup, repo);
  await setup.event(ID, 'worktree.made');
  await stopAgent(setup);
  expect(await act(setup, { type: 'archive' })).toMatchObject({ refused: 'conflict' });
  const asked = await setup.event(ID, 'permission.requested');
  await setup.do({ type: 'permission.answer', sessionId: ID, requestId: asked.requestId, behavior: 'allow' });
  for (const [force, words] of [
    [false, 'uncommitted changes in a.txt; untracked files: late'],
    [true, 'Files were changed while it was being removed: a.txt.'],
  ] as const) {
    const after = setup.events(ID).length;
    if (force) openRepository(path).write('a.txt', 'mine\n');
    const before = readFileSync(join(path, 'a.txt'), 'utf8');
    expect(await act(setup, { type: 'archive', force })).toEqual({ done: true });
    expect(await setup.event(ID, 'worktree.failed', ({ seq }) => seq > after)).toMatchObject({ step: 'remove', message: expect.stringContaining(words) });
    expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe(`${before}late\n`);
    expect([readFileSync(join(path, 'late'), 'utf8'), openRepository(path).git('branch', '--show-current')]).toEqual(['late\n', 'signalbox/one']);
  }
});

test('[R460] git is killed in the middle of a removal: nothing that somebody wrote in between goes with the rest', async () => {
  const bin = join(temporaryFolder('killed-git'), 'bin');
  mkdirSync(bin);
  const { setup, repo } = await withRepository({ 'a.txt': 'a\n', 'b/c.txt': 'c\n' }, { PATH: `${bin}:${process.env.PATH ?? ''}` });
  const { path } = await start(setup, repo);
  await setup.event(ID, 'worktree.made');
  await stopAgent(setup);
  // The first one deletes what makes it a worktree and is killed, while a person writes into the folder again.
  const killed = `rm "$last/.git" "$last/a.txt"; mkdir "${path}"; echo mine > "${path}/mine.txt"; touch ${bin}/done; kill -9 $$`;
  const git = `#!/bin/sh\nfor last; do :; done\ncase "$*" in *"worktree remove"*) [ -e ${bin}/done ] || { ${killed}; };; esac\nexec ${realGit()} "$@"\n`;
  writeFileSync(join(bin, 'git'), git, { mode: 0o755 });
  expect(await act(setup, { type: 'remove' })).toEqual({ done: true });
  expect(await setup.event(ID, 'worktree.removed')).not.toHaveProperty('left');
  expect(existsSync(join(bin, 'done'))).toBe(true);
  expect([readdirSync(path), readFileSync(join(path, 'mine.txt'), 'utf8')]).toEqual([['mine.txt'], 'mine\n']);
  expect(readdirSync(join(path, '..'))).toEqual(['one']);
  expect(repo.git('worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1);
});

test('[R463] hooks and settings that changed since an agent worked in the repository run only after a person accepted exactly them', async () => {
  const { setup, repo } = await withRepository({ 'a.txt': 'a\n' });
  const other = 's2' as SessionId;
  await setup.do({ type: 'session.create', sessionId: other, agent: 'demo' as AgentId, cwd: repo.path, options: {} });
  const place = await repositoryOf(repo.path);
  const entries = 'words' in place ? [] : (await notable(place)).map(({ name, sha256 }) => ({ name, sha256 }));
  await setup.do({ type: 'git.note', sessionId: other, entries });
  // An ordinary change of settings runs nothing here.
  repo.git('config', 'remote.origin.url', 'https://example.com/x.git');
  const plant = (hook: string) => writeFileSync(join(repo.path, '.git/hooks', hook), `#!/bin/sh\ntouch ${join(setup.folder, hook)}\n`, { mode: 0o755 });
  plant('post-checkout');
  const { path } = await start(setup, repo);
  const asked = await setup.event(ID, 'permission.requested');
  expect(asked).toMatchObject({ tool: 'Git hooks', input: { command: expect.stringMatching(/^# hook post-checkout\n#!\/bin\/sh\ntouch /) } });
  expect(setup.engine.session(ID)).toMatchObject({ status: 'waiting', worktree: { state: 'waiting' } });
  await setup.do({ type: 'permission.answer', sessionId: ID, requestId: asked.requestId, behavior: 'deny' });
  expect(await setup.event(ID, 'worktree.failed')).toMatchObject({ step: 'add', message: expect.stringContaining('declined') });
  expect([existsSync(path), existsSync(join(setup.folder, 'post-checkout'))]).toEqual([false, false]);
  await act(setup, { type: 'setup' });
  const again = await setup.event(ID, 'permission.requested', ({ seq }) => seq > asked.seq);
  await setup.reopen();
  await setup.do({ type: 'permission.answer', sessionId: ID, requestId: again.requestId, behavior: 'allow', remember: { scope: 'project' } });
  await setup.event(ID, 'worktree.made');
  expect(existsSync(join(setup.folder, 'post-checkout'))).toBe(true);
  // Accepted for the repository; one more change asks again, also before a merge.
  await start(setup, repo, { id: 's3', worktree: { name: 'three' } });
  await setup.event('s3' as SessionId, 'worktree.made');
  plant('post-merge');
  const tree = openRepository(path);
  tree.write('b.txt', 'b\n');
  tree.commit('b');
  expect(await act(setup, { type: 'merge', commandId: 'm1' })).toMatchObject({ refused: 'conflict', message: expect.stringContaining('hook post-merge') });
  expect([existsSync(join(repo.path, 'b.txt')), existsSync(join(setup.folder, 'post-merge'))]).toEqual([false, false]);
  const merge = await setup.event(ID, 'permission.requested', ({ seq }) => seq > again.seq);
  await setup.do({ type: 'permission.answer', sessionId: ID, requestId: merge.requestId, behavior: 'allow' });
  expect(await act(setup, { type: 'merge', commandId: 'm1' })).toMatchObject({ merged: { into: 'main', files: ['b.txt'] } });
  expect([existsSync(join(repo.path, 'b.txt')), existsSync(join(setup.folder, 'post-merge'))]).toEqual([true, true]);
});

const realGit = (): string => execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();

async function stopAgent(setup: EngineSetup): Promise<void> {
  await setup.do({ type: 'session.stop', sessionId: ID });
  await setup.event(ID, 'session.exited');
}

/** Every file with its mode and content. */
function snapshot(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name !== '.git');
  return Object.fromEntries(
    names.flatMap((name) => {
      const found = lstatSync(join(folder, name));
      if (found.isDirectory()) return [];
      const content = found.isSymbolicLink() ? readlinkSync(join(folder, name)) : readFileSync(join(folder, name), 'utf8');
      return [[name, `${(found.mode & 0o777).toString(8)} ${content.length} ${content.slice(0, 100)}`] as const];
    }),
  );
}

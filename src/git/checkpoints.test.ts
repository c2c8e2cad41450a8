import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gitBytes, PATIENT, repository, shell, snapshot } from '../../test/support/checkpoints/turns.ts';
import { proofCount } from '../../test/support/proof-length.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { CheckpointWhen } from '../protocol/event.ts';
import type { CheckpointId, SessionId } from '../protocol/ids.ts';
import { type Checkpoints, createCheckpoints, isSkipped, type Taken } from './checkpoints.ts';
import { BOUNDS } from './side/stage-folder.ts';

const S1 = 's1' as SessionId;

function setup() {
  const folder = realpathSync(temporaryFolder('checkpoints'));
  const [work, data] = [join(folder, 'work'), join(folder, 'data')];
  for (const path of [work, data]) mkdirSync(path);
  return { folder, work, data, store: createCheckpoints(data, PATIENT) };
}

let made = 0;
async function take(store: Checkpoints, folder: string, since?: Taken, when: CheckpointWhen = 'after'): Promise<Taken> {
  made += 1;
  const taken = await store.take({ folder, session: S1, checkpointId: `c${made}` as CheckpointId, when, since: since?.commit });
  if (isSkipped(taken)) throw new Error(taken.skipped);
  return taken;
}

/** Makes the folder equal to a checkpoint, whoever changed it. */
async function goTo(store: Checkpoints, folder: string, { commit }: Taken) {
  const compared = await store.compare(folder, commit);
  if (isSkipped(compared)) throw new Error(compared.skipped);
  const written = await store.write(
    folder,
    compared.differences.map((one) => ({ path: one.path, now: one.new, target: one.old })),
    () => false,
  );
  if (isSkipped(written)) throw new Error(written.skipped);
  return { compared, written };
}

test('with autocrlf, LFS attributes, ident, another encoding and a clean filter, a revert is byte-equal and no filter runs', async () => {
  const { work, store, folder } = setup();
  shell(work, `git init -q && git config core.autocrlf true && git config user.email a@b && git config user.name a`);
  for (const key of ['clean', 'smudge', 'process'])
    shell(work, `git config filter.lfs.${key} 'touch ${folder}/ran; cat' && git config filter.mine.${key} 'touch ${folder}/ran; cat'`);
  writeFileSync(join(work, '.gitattributes'), '*.bin filter=lfs\n*.txt filter=mine text eol=crlf\n*.c ident\n*.u text working-tree-encoding=UTF-16\n');
  const bytes: Readonly<Record<string, Buffer>> = {
    'a.txt': Buffer.from('crlf\r\nlf\nmixed\r\n'),
    'b.bin': Buffer.alloc(1000, 7),
    'c.c': Buffer.from('/* $Id$ */\n'),
    'd.u': Buffer.from('\ufeffwide', 'utf16le'),
  };
  const write = (of: (name: string) => Buffer) => {
    for (const name of Object.keys(bytes)) writeFileSync(join(work, name), of(name));
  };
  write((name) => bytes[name] ?? Buffer.alloc(0));
  shell(work, '(git add -A; git commit -qm x) 2>/dev/null');
  rmSync(join(folder, 'ran'), { force: true });
  const start = snapshot(work);
  const first = await take(store, work);
  write(() => Buffer.from('changed\r\n'));
  await take(store, work, first);
  await goTo(store, work, first);
  expect(snapshot(work)).toEqual(start);
  expect(existsSync(join(folder, 'ran'))).toBe(false);
});

test('after the agent adds, amends, rebases and collects garbage, every checkpoint still reverts', async () => {
  const { work, store } = setup();
  repository(work);
  const states: [Taken, Record<string, string>][] = [];
  const keep = async () => void states.push([await take(store, work, states.at(-1)?.[0]), snapshot(work)]);
  await keep();
  const steps = [
    'echo 1 >> a.txt; git add -A',
    'echo 2 >> b.txt; git commit -qam two; echo 3 > new; git add new; git commit -q --amend -m three',
    'git checkout -q -b side HEAD~1; echo 4 > sub/c.txt; git commit -qam four; git rebase -q main 2>/dev/null || git rebase --skip',
    'rm -r sub; git commit -qam gone; git branch -D main; git reflog expire --expire=now --all; git gc -q --prune=now',
    'git checkout -q --orphan fresh; git rm -rqf . ; echo x > x; git add x; git commit -qm x; git branch -D side; git reflog expire --expire=now --all; git gc -q --prune=now',
    'rm -rf .git; echo gone > y',
  ];
  for (const step of steps) {
    shell(work, step);
    await keep();
  }
  for (const [taken, expected] of states.toReversed()) {
    await goTo(store, work, taken);
    expect(snapshot(work)).toEqual(expected);
  }
});

test(`the person’s repository is the same byte for byte after ${proofCount(10)} checkpoints and ${proofCount(1)} reverts, in a worktree too`, async () => {
  const { work, store, folder } = setup();
  repository(work);
  shell(work, 'git worktree add -q ../linked; echo staged >> a.txt; git add a.txt');
  const linked = join(folder, 'linked');
  const before = gitBytes(work);
  for (const where of [work, linked]) {
    let last: Taken | undefined;
    let first: Taken | undefined;
    for (let n = 0; n < proofCount(5); n++) {
      writeFileSync(join(where, 'b.txt'), `${n}`);
      last = await take(store, where, last);
      first ??= last;
    }
    for (let n = 0; n < Math.ceil(proofCount(1) / 2); n++) if (first !== undefined && last !== undefined) await goTo(store, where, n % 2 === 0 ? first : last);
  }
  expect(gitBytes(work)).toEqual(before);
});

test('what a checkpoint can’t hold is named, and a revert never deletes it', async () => {
  const { work, store } = setup();
  repository(work);
  mkdirSync(join(work, 'nested'));
  shell(join(work, 'nested'), 'git init -q; echo mine > file');
  writeFileSync(join(work, 'big'), '');
  truncateSync(join(work, 'big'), 11 * 1024 * 1024);
  const first = await take(store, work);
  expect(first.left).toEqual([
    { path: 'big', why: 'larger than 10 MB' },
    { path: 'nested', why: 'a nested repository without a commit' },
  ]);
  truncateSync(join(work, 'big'), 3);
  const { compared } = await goTo(store, work, first);
  expect(compared.targetLeft).toEqual(first.left);
  expect(compared.differences.map(({ path }) => path)).toEqual(['big']);
  expect(existsSync(join(work, 'nested/file'))).toBe(true);
});

test('a file that was ignored before the agent edited .gitignore is not taken for a new one', async () => {
  const { work, store } = setup();
  repository(work);
  writeFileSync(join(work, 'ignored'), 'secret');
  const first = await take(store, work);
  shell(work, 'echo > .gitignore; echo x > made');
  const compared = await store.compare(work, first.commit);
  expect(isSkipped(compared) ? compared.skipped : [...compared.ignoredThen].filter((path) => path !== '')).toEqual(['ignored']);
});

test('files that are tracked although they are ignored are kept; names that look like options or have a newline are data', async () => {
  const { work, store } = setup();
  repository(work);
  shell(work, 'echo t > ignored; git add -f ignored; git commit -qm t; git branch -- "x" && git symbolic-ref HEAD "refs/heads/--upload-pack=x" || true');
  writeFileSync(join(work, '--upload-pack=x'), 'a');
  writeFileSync(join(work, 'new\nline'), 'b');
  writeFileSync(join(work, ':(exclude)y'), 'c');
  const start = snapshot(work);
  const first = await take(store, work);
  shell(work, 'rm -rf -- * ignored');
  await goTo(store, work, first);
  expect(snapshot(work)).toEqual(start);
});

test('in a subfolder of a repository the ignore files above count, and nothing outside the folder is kept or touched', async () => {
  const { work, store } = setup();
  repository(work);
  const sub = join(work, 'sub');
  writeFileSync(join(sub, 'ignored'), 'x');
  const first = await take(store, sub);
  shell(work, 'echo other > a.txt; echo y > sub/c.txt; echo y > sub/ignored; echo n > sub/n');
  const { written } = await goTo(store, sub, first);
  expect(written.map(({ path, result }) => `${path} ${result}`)).toEqual(['n deleted', 'c.txt restored']);
  expect([readFileSync(join(work, 'a.txt'), 'utf8'), readFileSync(join(sub, 'ignored'), 'utf8')]).toEqual(['other\n', 'y\n']);
});

test('in a repository without a commit, and with SHA-256, checkpoints work', async () => {
  for (const format of ['sha1', 'sha256']) {
    const { work, store } = setup();
    shell(work, `git init -q --object-format=${format}; echo a > a; ln -s a link; git add a`);
    const start = snapshot(work);
    const first = await take(store, work);
    shell(work, 'rm link; ln -s nowhere link; echo b > a; chmod +x a');
    await goTo(store, work, first);
    expect(snapshot(work)).toEqual(start);
  }
});

test('one slow look at a folder turns nothing off; three in a row do, and the reason says how long it took', async () => {
  const { work, data } = setup();
  repository(work);
  const store = createCheckpoints(data, { ...BOUNDS, ms: -1 });
  const offs: (string | undefined)[] = [];
  for (let n = 0; n < 4; n++) {
    writeFileSync(join(work, 'a.txt'), `${n}\n`);
    offs.push((await take(store, work)).off);
  }
  // The first one of a folder reads everything and doesn't count.
  expect(offs).toEqual([undefined, undefined, undefined, expect.stringMatching(/took \d+\.\d s$/)]);
  await expect(take(store, work)).rejects.toThrow('checkpoints take longer');
});

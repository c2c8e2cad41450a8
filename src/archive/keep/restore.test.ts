import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createKeeperSetup, type KeeperSetup, replace } from '../../../test/support/archive/keeper-setup.ts';
import { linesOf } from '../../../test/support/archive/sample-lines.ts';
import { idOfSession } from '../../../test/support/archive/seen-record.ts';
import { SEGMENT } from './cut-segments.ts';
import { openKeeper } from './open-keeper.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const WHEN = new Date(Math.floor(Date.now() - 3 * DAY_MS));

/** A session with a main record and a subagent's record with its companion, copied and then deleted. */
function deletedSession(bench: KeeperSetup) {
  const texts = { 'proj/s1.jsonl': linesOf(2 * SEGMENT.most), 'proj/s1/subagents/a.jsonl': 'part\n', 'proj/s1/subagents/a.meta.json': '{"toolUseId":"t"}' };
  for (const [path, text] of Object.entries(texts)) utimesSync(bench.write(path, text), WHEN, WHEN);
  bench.see('proj/s1.jsonl', 1, { session: 's1' });
  bench.see('proj/s1/subagents/a.jsonl', 2, { session: 's1', companion: 'proj/s1/subagents/a.meta.json' });
  bench.drain();
  rmSync(join(bench.root, 'proj'), { recursive: true });
  bench.keeper.swept();
  bench.drain();
  expect(bench.keeper.state().gone).toBe(2);
  return { texts, session: idOfSession('s1'), main: join(bench.root, 'proj/s1.jsonl') };
}

test('every file of a session is restored byte for byte, readable by its owner only, with its old time', () => {
  const bench = createKeeperSetup();
  const { texts, session } = deletedSession(bench);
  const answer = bench.keeper.restore(session);
  expect(answer.paths).toEqual(Object.keys(texts).map((path) => join(bench.root, path)));
  for (const [path, text] of Object.entries(texts)) {
    expect(readFileSync(join(bench.root, path), 'utf8')).toBe(text);
    const { mode, mtimeMs } = statSync(join(bench.root, path));
    expect([mode & 0o777, Math.round(mtimeMs)]).toEqual([0o600, WHEN.getTime()]);
  }
  expect(statSync(join(bench.root, 'proj/s1/subagents')).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(bench.root, 'proj'))).toEqual(['s1', 's1.jsonl']);
  expect(bench.keeper.state().gone).toBe(0);
});

test('a record that its CLI would delete again because of its age is restored with the current time', () => {
  const bench = createKeeperSetup();
  const path = bench.write('one.jsonl', 'one\n');
  const old = new Date(bench.clock.now - 31 * DAY_MS);
  utimesSync(path, old, old);
  bench.see('one.jsonl', 1);
  bench.drain();
  rmSync(path);
  bench.keeper.restore(idOfSession('one.jsonl'));
  expect(Math.round(statSync(path).mtimeMs)).toBe(bench.clock.now);
});

test('a restored record continues in the same copy', () => {
  const bench = createKeeperSetup();
  const { texts, session, main } = deletedSession(bench);
  bench.keeper.restore(session);
  const { bytes } = bench.keeper.state();
  bench.see('proj/s1.jsonl', 1, { session: 's1' });
  bench.drain();
  expect(bench.keeper.state().bytes).toBe(bytes);
  writeFileSync(main, 'more\n', { flag: 'a' });
  bench.see('proj/s1.jsonl', 1, { session: 's1' });
  bench.drain();
  const copy = bench.keeper.open({ key: 1, path: main });
  expect(copy?.read(0, copy.size).toString()).toBe(`${texts['proj/s1.jsonl']}more\n`);
  expect(bench.keeper.state().files).toBe(3);
});

test('existing, unchanged files are left alone; the rest is restored', () => {
  const bench = createKeeperSetup();
  const { texts, session, main } = deletedSession(bench);
  bench.write('proj/s1.jsonl', texts['proj/s1.jsonl']);
  const { ino } = lstatSync(main);
  expect(bench.keeper.restore(session).paths).toEqual(['a.jsonl', 'a.meta.json'].map((name) => join(bench.root, 'proj/s1/subagents', name)));
  expect(lstatSync(main).ino).toBe(ino);
  expect(() => bench.keeper.restore(session)).toThrow('Nothing to restore');
});

test('[R227] an existing file is never replaced, and in that case nothing of the session is written', () => {
  const bench = createKeeperSetup();
  const { session } = deletedSession(bench);
  const part = bench.write('proj/s1/subagents/a.jsonl', 'mine\n');
  expect(() => bench.keeper.restore(session)).toThrow(`${part} was not restored: another file is there`);
  expect(readFileSync(part, 'utf8')).toBe('mine\n');
  expect(readdirSync(join(bench.root, 'proj'))).toEqual(['s1']);
});

test('a dangling link at the path of a record is not written through', () => {
  const bench = createKeeperSetup();
  const { session, main } = deletedSession(bench);
  mkdirSync(dirname(main), { recursive: true });
  symlinkSync(join(bench.dataDir, 'elsewhere'), main);
  expect(() => bench.keeper.restore(session)).toThrow('another file is there');
});

test('[R228] nothing is written through a link that leads outside the root', () => {
  const bench = createKeeperSetup();
  const { session } = deletedSession(bench);
  mkdirSync(join(bench.dataDir, 'elsewhere'));
  symlinkSync(join(bench.dataDir, 'elsewhere'), join(bench.root, 'proj'));
  expect(() => bench.keeper.restore(session)).toThrow('a link in its path leads out of');
  expect(readdirSync(join(bench.dataDir, 'elsewhere'))).toEqual([]);
});

test("a folder that is no longer one of an agent's roots is not written to", () => {
  const bench = createKeeperSetup();
  const { session } = deletedSession(bench);
  bench.keeper.close();
  bench.keeper = openKeeper({ dataDir: bench.dataDir, roots: () => [join(bench.root, 'other')], mayWrite: () => true, now: () => bench.clock.now });
  expect(() => bench.keeper.restore(session)).toThrow('is no longer a folder of its agent');
  expect(readdirSync(bench.root)).toEqual([]);
});

test('the earlier version of a replaced record is restored by its own number', () => {
  const bench = createKeeperSetup();
  const path = bench.write('one.jsonl', 'before\n');
  bench.see('one.jsonl', 1);
  bench.drain();
  replace(path, 'after, and longer\n');
  bench.see('one.jsonl', 2);
  bench.drain();
  rmSync(path);
  bench.keeper.restore(idOfSession('one.jsonl'), [1]);
  expect(readFileSync(path, 'utf8')).toBe('before\n');
});

test('a session without a copy is refused with a message', () => {
  const bench = createKeeperSetup();
  expect(() => bench.keeper.restore(idOfSession('none'))).toThrow('There is no copy of this session');
});

test('an incomplete copy is not restored', () => {
  const bench = createKeeperSetup();
  const path = bench.write('one.jsonl', linesOf(4 * SEGMENT.most));
  bench.see('one.jsonl', 1);
  while (bench.keeper.open({ key: 1, path }) === undefined) bench.keeper.step();
  rmSync(path);
  bench.drain();
  expect(() => bench.keeper.restore(idOfSession('one.jsonl'))).toThrow(/only its first \d+ bytes were copied/);
});

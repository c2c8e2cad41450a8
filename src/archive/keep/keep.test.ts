import { appendFileSync, readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createKeeperSetup, type KeeperSetup, replace } from '../../../test/support/archive/keeper-setup.ts';
import { linesOf } from '../../../test/support/archive/sample-lines.ts';
import { AGENT, idOfSession } from '../../../test/support/archive/seen-record.ts';
import { SEGMENT } from './cut-segments.ts';
import { openKeptReader } from './kept-reader.ts';

const textOf = ({ keeper }: KeeperSetup, key: number, path: string): string | undefined => {
  const copy = keeper.open({ key, path });
  return copy?.read(0, copy.size).toString();
};

const segmentsOf = ({ dataDir }: KeeperSetup): readonly string[] =>
  readdirSync(join(dataDir, 'kept/segments'), { recursive: true })
    .map(String)
    .filter((name) => name.includes('/'));

test('a record is copied byte for byte, over many segments, and takes less space', () => {
  const bench = createKeeperSetup();
  const text = linesOf(5 * SEGMENT.most);
  const path = bench.write('p/one.jsonl', text);
  bench.see('p/one.jsonl', 1);
  bench.drain();
  expect(textOf(bench, 1, path)).toBe(text);
  expect(bench.keeper.state()).toMatchObject({ on: true, files: 1, rawBytes: text.length, gone: 0 });
  expect(bench.keeper.state().bytes).toBeLessThan(text.length / 4);
  expect(segmentsOf(bench).length).toBeGreaterThan(4);
});

test('only the last, open segment of a grown record is written again', () => {
  const bench = createKeeperSetup();
  const path = bench.write('one.jsonl', linesOf(3 * SEGMENT.most));
  bench.see('one.jsonl', 1);
  bench.drain();
  const before = new Set(segmentsOf(bench));
  appendFileSync(path, linesOf(40_000, 'later'));
  bench.see('one.jsonl', 1);
  bench.drain();
  expect(textOf(bench, 1, path)).toBe(readFileSync(path, 'utf8'));
  const after = segmentsOf(bench);
  expect(after.filter((name) => !before.has(name))).toHaveLength(1);
  expect(after.length).toBe(before.size);
});

test('a live record is copied once it has been quiet for a while, not at every line', () => {
  const bench = createKeeperSetup();
  const path = bench.write('one.jsonl', linesOf(1_000));
  utimesSync(path, bench.clock.now / 1000, bench.clock.now / 1000);
  bench.see('one.jsonl', 1);
  bench.drain();
  expect(textOf(bench, 1, path)).toBeUndefined();
  bench.clock.now += 60_000;
  bench.drain();
  expect(textOf(bench, 1, path)).toBe(readFileSync(path, 'utf8'));
});

test('[R226] records with the same content are stored once: a copy under another name costs nothing', () => {
  const bench = createKeeperSetup();
  const text = linesOf(2 * SEGMENT.most);
  const [one, other] = [bench.write('one.jsonl', text), bench.write('moved/other.jsonl', text)];
  bench.see('one.jsonl', 1);
  bench.drain();
  const { bytes } = bench.keeper.state();
  bench.see('moved/other.jsonl', 2);
  bench.drain();
  expect(bench.keeper.state()).toMatchObject({ files: 2, bytes, rawBytes: 2 * text.length });
  expect([textOf(bench, 1, one), textOf(bench, 2, other)]).toEqual([text, text]);
});

test('a fork that differs in its first line shares the segments after it', () => {
  const bench = createKeeperSetup();
  const text = linesOf(8 * SEGMENT.most);
  bench.write('one.jsonl', `{"type":"session","id":"one"}\n${text}`);
  bench.write('fork.jsonl', `{"type":"session","id":"fork","parentSession":"one"}\n${text}`);
  bench.see('one.jsonl', 1);
  bench.drain();
  const { bytes } = bench.keeper.state();
  bench.see('fork.jsonl', 2);
  bench.drain();
  expect(bench.keeper.state().bytes - bytes).toBeLessThan(bytes / 2);
});

test('a record that shrank or was replaced gets a new copy, and the earlier copy can still be read under its number', () => {
  const bench = createKeeperSetup();
  const first = linesOf(2 * SEGMENT.most, 'first');
  const path = bench.write('one.jsonl', first);
  bench.see('one.jsonl', 1);
  bench.drain();
  truncateSync(path, 100);
  bench.see('one.jsonl', 2);
  expect(textOf(bench, 2, path)).toBeUndefined();
  bench.drain();
  replace(path, 'another\n');
  bench.see('one.jsonl', 3);
  bench.drain();
  expect([1, 2, 3].map((key) => textOf(bench, key, path))).toEqual([first, first.slice(0, 100), 'another\n']);
  expect(bench.keeper.state().files).toBe(1);
});

test('a record that was rewritten with everything it had, and more, has one copy', () => {
  const bench = createKeeperSetup();
  const text = linesOf(2 * SEGMENT.most);
  const path = bench.write('one.jsonl', text);
  bench.see('one.jsonl', 1);
  bench.drain();
  replace(path, `${text}more\n`);
  bench.see('one.jsonl', 2);
  bench.drain();
  expect([1, 2].map((key) => textOf(bench, key, path))).toEqual([`${text}more\n`, `${text}more\n`]);
  expect(bench.keeper.state().rawBytes).toBe(text.length + 5);
});

test('a change in the middle that keeps size and end is a replaced file when another file has its name', () => {
  const bench = createKeeperSetup();
  const path = bench.write('one.jsonl', 'aaaa\nend\n');
  bench.see('one.jsonl', 1);
  bench.drain();
  replace(path, 'bbbb\nend\n', new Date(1_700_000_000_000));
  bench.see('one.jsonl', 2);
  bench.drain();
  expect([textOf(bench, 1, path), textOf(bench, 2, path)]).toEqual(['aaaa\nend\n', 'bbbb\nend\n']);
});

test('a deleted record keeps its copy, even if it was deleted while no server was running; it is counted', () => {
  const bench = createKeeperSetup();
  const [one, other] = [bench.write('one.jsonl', 'one\n'), bench.write('other.jsonl', 'other\n')];
  bench.see('one.jsonl', 1);
  bench.see('other.jsonl', 2);
  bench.drain();
  rmSync(one);
  bench.keeper.swept();
  bench.drain();
  expect(bench.keeper.state()).toMatchObject({ files: 2, gone: 1 });
  rmSync(other);
  bench.reopen();
  bench.drain();
  expect(bench.keeper.state()).toMatchObject({ files: 2, gone: 2 });
  expect([textOf(bench, 1, one), textOf(bench, 2, other)]).toEqual(['one\n', 'other\n']);
});

test('a record that changed while no server was running is copied even if nobody reports it, and numbers stay with the copy they were assigned to', () => {
  const bench = createKeeperSetup();
  const [one, other] = [bench.write('one.jsonl', 'one\n'), bench.write('other.jsonl', 'other\n')];
  bench.see('one.jsonl', 1);
  bench.see('other.jsonl', 2);
  bench.drain();
  bench.write('one.jsonl', 'more\n');
  replace(other, 'replaced\n');
  bench.reopen();
  bench.drain();
  expect([textOf(bench, 1, one), textOf(bench, 2, other)]).toEqual(['one\nmore\n', 'other\n']);
  bench.see('other.jsonl', 3);
  bench.drain();
  expect([textOf(bench, 2, other), textOf(bench, 3, other)]).toEqual(['other\n', 'replaced\n']);
});

test('a companion is kept with its record', () => {
  const bench = createKeeperSetup();
  bench.write('s/agent-1.jsonl', 'part\n');
  const meta = bench.write('s/agent-1.meta.json', '{"toolUseId":"t1"}');
  bench.see('s/agent-1.jsonl', 1, { companion: 's/agent-1.meta.json' });
  bench.drain();
  expect(textOf(bench, 0, meta)).toBe('{"toolUseId":"t1"}');
  expect(bench.keeper.state().files).toBe(2);
});

test('records that their CLI deletes soon are copied first, then the newest', () => {
  const bench = createKeeperSetup();
  const day = 24 * 60 * 60;
  const now = bench.clock.now / 1000;
  const ages = { 'yesterday.jsonl': 1, 'month.jsonl': 29, 'week.jsonl': 7, 'threeweeks.jsonl': 21 };
  const order: string[] = [];
  for (const [name, days] of Object.entries(ages)) utimesSync(bench.write(name, linesOf(SEGMENT.most * 0.9, name)), now, now - days * day);
  for (const [index, name] of Object.keys(ages).entries()) bench.see(name, index + 1);
  while (bench.keeper.step()) {
    for (const [index, name] of Object.keys(ages).entries()) {
      if (!order.includes(name) && textOf(bench, index + 1, join(bench.root, name)) !== undefined) order.push(name);
    }
  }
  expect(order).toEqual(['month.jsonl', 'threeweeks.jsonl', 'yesterday.jsonl', 'week.jsonl']);
});

test('[R229] when switched off, nothing new is copied, existing copies stay, and a restart remembers it', () => {
  const bench = createKeeperSetup();
  const [one, other] = [bench.write('one.jsonl', 'one\n'), bench.write('other.jsonl', 'other\n')];
  bench.see('one.jsonl', 1);
  bench.drain();
  bench.keeper.keep(false);
  bench.reopen();
  bench.see('other.jsonl', 2);
  bench.drain();
  expect(bench.keeper.state()).toMatchObject({ on: false, files: 1 });
  expect([textOf(bench, 1, one), textOf(bench, 2, other)]).toEqual(['one\n', undefined]);
  bench.keeper.keep(true);
  bench.drain();
  expect(textOf(bench, 2, other)).toBe('other\n');
});

test('while the disk is nearly full nothing is copied, and the state says so until there is space', () => {
  const bench = createKeeperSetup();
  const path = bench.write('one.jsonl', 'one\n');
  bench.see('one.jsonl', 1);
  bench.mayWrite = false;
  bench.drain();
  expect(bench.keeper.state()).toMatchObject({ files: 0, problem: expect.stringContaining('nearly full') });
  bench.mayWrite = true;
  bench.drain();
  expect(bench.keeper.state().problem).toBeUndefined();
  expect(textOf(bench, 1, path)).toBe('one\n');
});

test('a record that is unreadable, or a link, is reported with a message and blocks nothing', () => {
  const bench = createKeeperSetup();
  writeFileSync(join(bench.dataDir, 'secret'), 'secret\n');
  symlinkSync(join(bench.dataDir, 'secret'), join(bench.root, 'link.jsonl'));
  bench.see('link.jsonl', 1);
  bench.drain();
  expect(bench.keeper.state()).toMatchObject({ files: 0, problem: expect.stringContaining('link.jsonl could not be copied') });
  const path = bench.write('one.jsonl', 'one\n');
  bench.see('one.jsonl', 2);
  bench.drain();
  expect(textOf(bench, 2, path)).toBe('one\n');
});

test('a record in a folder that links outside its root is not read', () => {
  const bench = createKeeperSetup();
  writeFileSync(join(bench.dataDir, 'one.jsonl'), 'secret\n');
  symlinkSync(bench.dataDir, join(bench.root, 'out'));
  bench.see('out/one.jsonl', 1);
  bench.drain();
  expect(bench.keeper.state()).toMatchObject({ files: 0, problem: expect.stringContaining('outside') });
});

test('a forgotten record leaves nothing behind and is not copied again; shared segments stay', () => {
  const bench = createKeeperSetup();
  const text = linesOf(2 * SEGMENT.most);
  const [one, other] = [bench.write('one.jsonl', `${text}its own end\n`), bench.write('other.jsonl', text)];
  bench.see('one.jsonl', 1);
  bench.see('other.jsonl', 2);
  bench.drain();
  bench.keeper.forget(idOfSession('one.jsonl'));
  bench.reopen();
  bench.see('one.jsonl', 1);
  bench.drain();
  expect(textOf(bench, 1, one)).toBeUndefined();
  expect(textOf(bench, 2, other)).toBe(text);
  expect(bench.keeper.state().files).toBe(1);
  bench.keeper.forget(idOfSession('other.jsonl'));
  expect(segmentsOf(bench)).toEqual([]);
  expect(bench.keeper.state()).toMatchObject({ files: 0, bytes: 0, rawBytes: 0 });
});

test('rows of a database are copied as lines, new ones as they arrive, and read by number', () => {
  const bench = createKeeperSetup();
  const rows = Array.from({ length: 2_500 }, (_, index) => ({ row: 2 * index + 1, line: JSON.stringify({ text: `${index} ü\n`.repeat(200) }) }));
  const path = bench.write('agent.sqlite', 'a database');
  const see = (count: number): void =>
    bench.keeper.seenRows({
      agent: AGENT,
      agentSessionId: 'c1',
      root: bench.root,
      path: 'agent.sqlite',
      lastRow: rows[count - 1]!.row,
      rows: (after, limit) =>
        rows
          .slice(0, count)
          .filter((one) => one.row > after)
          .slice(0, limit),
    });
  see(1_000);
  bench.drain();
  see(2_500);
  bench.clock.now += 60_000;
  bench.drain();
  const reader = openKeptReader({ dataDir: bench.dataDir });
  expect(reader.rows(path, 'c1', 0, 10_000)).toEqual(rows);
  expect(reader.rows(path, 'c1', 3_001, 3)).toEqual(rows.slice(1_501, 1_504));
  expect(reader.rows(path, 'c1', 3_000, 2)).toEqual(rows.slice(1_500, 1_502));
  expect(reader.rows(path, 'none', 0, 10)).toEqual([]);
  reader.close();
  expect(() => bench.keeper.restore(idOfSession('c1'))).toThrow('is in a database of its agent');
});

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createKeeperSetup, type KeeperSetup } from '../../../test/support/archive/keeper-setup.ts';
import { linesOf } from '../../../test/support/archive/sample-lines.ts';
import { idOfSession } from '../../../test/support/archive/seen-record.ts';
import { SEGMENT } from './cut-segments.ts';
import type { Damage } from './keep.ts';
import { openKeptReader } from './kept-reader.ts';

/** The segments of a copy, largest first. */
const segmentsOf = ({ dataDir }: KeeperSetup): readonly string[] =>
  readdirSync(join(dataDir, 'kept/segments'), { recursive: true })
    .map((name) => join(dataDir, 'kept/segments', String(name)))
    .filter((path) => statSync(path).isFile())
    .sort((one, other) => statSync(other).size - statSync(one).size);

function kept(bench: KeeperSetup) {
  const text = linesOf(6 * SEGMENT.most);
  const path = bench.write('one.jsonl', text);
  bench.see('one.jsonl', 1);
  bench.drain();
  return { text, file: { key: 1, path } };
}

const damages: readonly (readonly [string, (path: string) => void])[] = [
  ['a changed byte', (path) => writeFileSync(path, flipped(readFileSync(path)))],
  ['a cut-off segment', (path) => writeFileSync(path, readFileSync(path).subarray(0, 1_000))],
  ['a missing segment', (path) => rmSync(path)],
];

for (const [name, damageFile] of damages) {
  test(`${name} loses only that segment, is reported with its position, and is never restored`, () => {
    const bench = createKeeperSetup();
    const { text, file } = kept(bench);
    damageFile(segmentsOf(bench)[0]!);
    const reported: Damage[] = [];
    const reader = openKeptReader({ dataDir: bench.dataDir, onDamage: (damage) => reported.push(damage) });
    const copy = reader.open(file)!;
    const [lost] = copy.damage();
    expect(copy.damage()).toHaveLength(1);
    const end = lost!.fromByte + lost!.bytes;
    const expected = text.slice(0, lost!.fromByte) + '\n'.repeat(lost!.bytes) + text.slice(end);
    expect(copy.read(0, copy.size).toString() === expected).toBe(true);
    copy.read(0, copy.size);
    expect(reported).toEqual([lost]);
    rmSync(file.path);
    expect(() => bench.keeper.restore(idOfSession('one.jsonl'))).toThrow(`${lost!.bytes} of ${text.length} bytes of its copy are damaged`);
    expect(existsSync(file.path)).toBe(false);
    reader.close();
  });
}

test('reading in the middle opens only the segments it needs', () => {
  const bench = createKeeperSetup();
  const { text, file } = kept(bench);
  const reader = openKeptReader({ dataDir: bench.dataDir });
  const copy = reader.open(file)!;
  copy.read(10, 20);
  for (const path of segmentsOf(bench)) rmSync(path);
  expect(copy.read(100, 50_000).toString()).toBe(text.slice(100, 50_000));
  expect(copy.read(text.length - 5, text.length + 5).toString()).toBe('\n'.repeat(5));
  reader.close();
});

test('a reader continues when the last segment is replaced under it', () => {
  const bench = createKeeperSetup();
  const { text, file } = kept(bench);
  const reader = openKeptReader({ dataDir: bench.dataDir });
  const copy = reader.open(file)!;
  bench.write('one.jsonl', linesOf(50_000, 'later'));
  bench.see('one.jsonl', 1);
  bench.drain();
  expect(copy.read(0, copy.size).toString() === text).toBe(true);
  expect(copy.damage()).toEqual([]);
  reader.close();
});

test('a reader can be opened before the first copy', () => {
  const bench = createKeeperSetup();
  const reader = openKeptReader({ dataDir: join(bench.dataDir, 'none') });
  expect(reader.open({ key: 1, path: '/x' })).toBeUndefined();
  reader.close();
});

const indexDamages: readonly (readonly [string, (path: string) => void])[] = [
  ['damaged', (path) => writeFileSync(path, Buffer.alloc(8_192, 'x'))],
  ['missing', (path) => rmSync(path)],
];

for (const [name, damageIndex] of indexDamages) {
  test(`with a ${name} index the segments are moved aside, never deleted, and the state says where they are`, () => {
    const bench = createKeeperSetup();
    const { text, file } = kept(bench);
    const count = segmentsOf(bench).length;
    bench.keeper.close();
    for (const end of ['-wal', '-shm']) rmSync(join(bench.dataDir, `kept/kept.db${end}`), { force: true });
    damageIndex(join(bench.dataDir, 'kept/kept.db'));
    bench.reopen();
    bench.drain();
    const aside = join(bench.dataDir, 'kept-damaged');
    expect(bench.keeper.state().problem).toContain(aside);
    expect(segmentsOf({ ...bench, dataDir: bench.dataDir }).length).toBe(0);
    expect(readdirSync(join(aside, 'segments'), { recursive: true }).filter((one) => String(one).endsWith('.br'))).toHaveLength(count);
    bench.see('one.jsonl', 1);
    bench.drain();
    expect(bench.keeper.open(file)?.read(0, text.length).toString() === text).toBe(true);
  });
}

test('an unusable folder is reported with a message, and nothing throws', () => {
  const bench = createKeeperSetup();
  bench.keeper.close();
  rmSync(join(bench.dataDir, 'kept'), { recursive: true });
  writeFileSync(join(bench.dataDir, 'kept'), 'a file');
  bench.reopen();
  bench.write('one.jsonl', 'one\n');
  bench.see('one.jsonl', 1);
  expect(bench.keeper.step()).toBe(false);
  expect(bench.keeper.state()).toMatchObject({ on: false, problem: expect.stringContaining('No copies of records are kept') });
  expect(() => bench.keeper.restore(idOfSession('one.jsonl'))).toThrow('No copies of records are kept');
});

test('partial or unreferenced segments of a killed server are removed by the next one', () => {
  const bench = createKeeperSetup();
  const { text, file } = kept(bench);
  bench.keeper.close();
  const segmentFolder = join(bench.dataDir, 'kept/segments/ab');
  mkdirSync(segmentFolder, { recursive: true });
  const left = [`ab${'0'.repeat(62)}.br`, `ab${'1'.repeat(62)}.br.new`].map((name) => join(segmentFolder, name));
  for (const path of left) writeFileSync(path, 'left over');
  bench.reopen();
  bench.drain();
  expect(left.filter((path) => existsSync(path))).toEqual([]);
  expect(bench.keeper.open(file)?.read(0, text.length).toString() === text).toBe(true);
});

function flipped(bytes: Buffer): Buffer {
  const at = bytes.length >> 1;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes;
}

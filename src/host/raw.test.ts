import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId, SessionId } from '../protocol/ids.ts';
import { LIMITS } from '../protocol/limits.ts';
import { openRawFiles } from './raw.ts';

const S1 = 's1' as SessionId;
let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'signalbox-raw-'));
  mkdirSync(join(data, 'sessions/s1/r1'), { recursive: true });
  writeFileSync(join(data, 'sessions/s1/r1/host.json'), '{}');
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const write = (text: string | Buffer, name = 'out.ndjson') => writeFileSync(join(data, 'sessions/s1/r1', name), text);
async function page(query: { before?: number; after?: number; side?: 'out' | 'in' | 'err' } = {}) {
  const raw = openRawFiles(data);
  const [run] = await raw.runs(S1);
  if (run === undefined) throw new Error('there is no run');
  return raw.page(S1, run, query);
}
const numbered = (count: number, width: number) => Array.from({ length: count }, (_, n) => `${n}`.padEnd(width, '.'));

test('a run is listed with the bytes of each file, and the end of a file is shown first', async () => {
  write('one\ntwo\n');
  write('in\n', 'in.ndjson');
  expect(await openRawFiles(data).runs(S1)).toMatchObject([{ run: 'r1' as RunId, bytes: { out: 8, in: 3, err: 0 } }]);
  expect(await page()).toEqual({
    lines: [
      { place: 0, bytes: 3, text: 'one' },
      { place: 4, bytes: 3, text: 'two' },
    ],
    after: 8,
    more: false,
  });
  expect((await page({ side: 'in' })).lines.map(({ text }) => text)).toEqual(['in']);
  expect(await page({ side: 'err' })).toEqual({ lines: [], after: 0, more: false });
});

test('[R251] pages in both directions contain every line once', async () => {
  const lines = numbered(2000, 500);
  write(`${lines.join('\n')}\n`);
  const back: string[] = [];
  for (let at: number | undefined = Number.MAX_SAFE_INTEGER; at !== undefined; ) {
    const { lines: read, before } = await page({ before: at });
    back.unshift(...read.map(({ text }) => text));
    at = before;
  }
  const forward: string[] = [];
  for (let [at, more] = [0, true]; more; ) {
    const read = await page({ after: at });
    forward.push(...read.lines.map(({ text }) => text));
    [at, more] = [read.after, read.more];
  }
  expect(back).toEqual(lines);
  expect(forward).toEqual(lines);
});

test('an unfinished line is shown as open, and shown again once it is longer', async () => {
  write('one\ntw');
  const { lines, after } = await page();
  expect(lines[1]).toEqual({ place: 4, bytes: 2, text: 'tw', open: true });
  write('one\ntwo\nthree\n');
  expect((await page({ after })).lines.map(({ text }) => text)).toEqual(['two', 'three']);
});

test('a line over the limit is shown by its start, from whichever direction it is reached', async () => {
  const long = 'x'.repeat(3 * LIMITS.rawPageBytes);
  write(`first\n${long}\nlast\n`);
  const middle = { place: 6, bytes: long.length, text: 'x'.repeat(LIMITS.rawLineBytes), cut: true };
  expect((await page({ after: 6 })).lines).toEqual([middle]);
  expect((await page({ before: 6 + long.length + 1 })).lines).toEqual([middle]);
  expect((await page({ before: 6 + long.length + 1 })).before).toBe(6);
  expect((await page({ after: 6 })).after).toBe(6 + long.length + 1);
  expect((await page({ before: 6 })).lines.map(({ text }) => text)).toEqual(['first']);
});

test('a line at exactly the limit is whole', async () => {
  write(`${'x'.repeat(LIMITS.rawLineBytes)}\n${'y'.repeat(LIMITS.rawLineBytes + 1)}\n`);
  expect((await page()).lines.map(({ text, cut }) => [text.length, cut])).toEqual([
    [LIMITS.rawLineBytes, undefined],
    [LIMITS.rawLineBytes, true],
  ]);
});

test('bytes that are not text lose no line, and a compressed run reads the same', async () => {
  write(gzipSync(Buffer.from([0xff, 0, 10, 97, 10])), 'out.ndjson.gz');
  expect((await page()).lines).toEqual([
    { place: 0, bytes: 2, text: '\ufffd\0' },
    { place: 3, bytes: 1, text: 'a' },
  ]);
});

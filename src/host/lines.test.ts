import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { collect } from '../../test/support/engine/test-host.ts';
import { createLineCutter } from './lines.ts';

test('[R63] lines are the same wherever the bytes are split', () => {
  const line = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string(), fc.constant('')).map((text) => text.replaceAll('\n', ' '));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat()), (lines, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const seen = collect();
      const cutter = createLineCutter(0, 1 << 20, seen);
      for (const chunk of splitAt(bytes, cuts)) cutter.push(chunk);
      expect(seen.texts).toEqual(lines);
      expect(seen.starts).toEqual(startsOf(lines));
      expect(cutter.atByte).toBe(bytes.length);
    }),
  );
});

test('arbitrary bytes give one line per newline, in order, with the right start bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.array(fc.nat()), (raw, cuts) => {
      const bytes = Buffer.concat([Buffer.from(raw), Buffer.from('\n')]);
      const seen = collect();
      const cutter = createLineCutter(7, 1 << 20, seen);
      for (const chunk of splitAt(bytes, cuts)) cutter.push(chunk);
      const newlines = [...bytes.entries()].filter(([, byte]) => byte === 10).map(([at]) => at);
      expect(seen.starts).toEqual([0, ...newlines.slice(0, -1).map((at) => at + 1)].map((at) => at + 7));
      expect(seen.texts).toEqual(newlines.map((at, index) => bytes.toString('utf8', (newlines[index - 1] ?? -1) + 1, at)));
    }),
  );
});

test('[R63] invalid UTF-8 becomes replacement characters, and the line is kept', () => {
  const seen = collect();
  createLineCutter(0, 1024, seen).push(Buffer.from([0x61, 0xff, 0xfe, 0x62, 10, 0xe2, 0x82, 10, 0x63, 10]));
  expect(seen.texts).toEqual(['a\ufffd\ufffdb', '\ufffd', 'c']);
  expect(seen.starts).toEqual([0, 5, 8]);
});

test('[R64] a line over the limit is lost as a whole, and the next one is read', () => {
  const seen = collect();
  const cutter = createLineCutter(0, 8, seen);
  for (const chunk of ['before\n12345', '678901', '2345\nafter\n']) cutter.push(Buffer.from(chunk));
  expect(seen.texts).toEqual(['before', 'after']);
  expect(seen.starts).toEqual([0, 23]);
  expect(seen.losses).toEqual([{ from: 7, to: 23, reason: 'a line of 15 bytes is over the limit of 8' }]);
});

test('a line of exactly the limit is kept', () => {
  const seen = collect();
  const cutter = createLineCutter(0, 8, seen);
  for (const chunk of ['1234', '5678', '\n']) cutter.push(Buffer.from(chunk));
  expect(seen.texts).toEqual(['12345678']);
  expect(seen.losses).toEqual([]);
});

test('half a line waits for the rest, and is lost only when nothing more can arrive', () => {
  const seen = collect();
  const cutter = createLineCutter(0, 1024, seen);
  cutter.push(Buffer.from('whole\nhal'));
  expect([seen.texts, cutter.atByte]).toEqual([['whole'], 6]);
  cutter.finish();
  expect(seen.losses).toEqual([{ from: 6, to: 9, reason: 'the process ended in the middle of a line' }]);
  expect(cutter.atByte).toBe(9);
});

test('the buffer can be reused after a push', () => {
  const seen = collect();
  const cutter = createLineCutter(0, 1024, seen);
  const buffer = Buffer.from('abc');
  cutter.push(buffer);
  buffer.fill('z');
  cutter.push(Buffer.from('\n'));
  expect(seen.texts).toEqual(['abc']);
});

function splitAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length)).filter((chunk) => chunk.length > 0);
}

function startsOf(lines: readonly string[]): number[] {
  let at = 0;
  return lines.map((text) => {
    const start = at;
    at += Buffer.byteLength(text) + 1;
    return start;
  });
}

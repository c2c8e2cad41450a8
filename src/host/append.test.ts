import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bundle } from '../../test/support/bundle.ts';
import { bytes, collect, createHostSetup } from '../../test/support/engine/test-host.ts';
import { seeded } from '../../test/support/seeded.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { RunId } from '../protocol/ids.ts';
import { appendAt } from './append.ts';
import { InputClosed, InputTorn } from './host.ts';

const RUN = 'r1' as RunId;

test('[R60] only the missing rest of a line is appended, however much is already in the file', async () => {
  const line = bytes('a whole line\n');
  for (let there = 0; there <= line.length; there += 1) {
    const path = fileWith(`old\n${Buffer.from(line).toString('utf8', 0, there)}`);
    await appendAt(path, RUN, 4, line);
    expect(readFileSync(path, 'utf8')).toBe('old\na whole line\n');
  }
});

test('[R262] the caller is notified once the bytes are written and before they are synced, but not when writing fails', async () => {
  const path = fileWith('old\n');
  const seen: string[] = [];
  const appended = appendAt(path, RUN, 4, bytes('a line\n'), () => seen.push(readFileSync(path, 'utf8')));
  expect(seen).toEqual(['old\na line\n']);
  await appended;
  await expect(appendAt(path, RUN, 4, bytes('another\n'), () => seen.push('called'))).rejects.toBeInstanceOf(InputTorn);
  expect(seen).toHaveLength(1);
});

test('repeating a send after later sends changes nothing', async () => {
  const path = fileWith('one\ntwo\n');
  await appendAt(path, RUN, 0, bytes('one\n'));
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
});

test('[R61] a file that has other bytes there, or lacks earlier bytes, is left alone', async () => {
  for (const [content, offset] of [
    ['old\nanother', 4],
    ['old\nanother line\nand more\n', 4],
    ['ol', 4],
  ] as const) {
    const path = fileWith(content);
    await expect(appendAt(path, RUN, offset, bytes('a whole line\n'))).rejects.toBeInstanceOf(InputTorn);
    await expect(appendAt(path, RUN, offset, bytes('x\n'))).rejects.toBeInstanceOf(InputTorn);
    expect(readFileSync(path, 'utf8')).toBe(content);
  }
});

test('concurrent sends arrive in the order of their offsets', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref);
  const seen = collect();
  host.follow(ref, 0, seen);
  await Promise.all(Array.from({ length: 50 }, (_, i) => host.send(ref, i * 3, bytes(`${10 + i}\n`))));
  await seen.line('"n":50');
  expect(await host.inputSize(ref)).toBe(150);
});

test('[R62] after end of input, a send is refused unless its bytes are already in the file', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref);
  await host.send(ref, 0, bytes('hello\n'));
  await host.end(ref, { how: 'idle' });
  await host.send(ref, 0, bytes('hello\n'));
  await expect(host.send(ref, 6, bytes('more\n'))).rejects.toBeInstanceOf(InputClosed);
  expect(await host.inputSize(ref)).toBe(6);
});

test('[R60] killing the writer in the middle of a write loses nothing and feeds nothing twice', async () => {
  const seed = Number(process.env.SIGNALBOX_TEST_SEED ?? Date.now() % 100_000);
  const random = seeded(seed);
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref);
  const seen = collect();
  host.follow(ref, 0, seen);
  const lines = planLines(random);
  const target = join(hosting.dataDir, 'sessions', ref.sessionId, ref.run, 'in.ndjson');
  const append = bundle('src/host/append.ts');
  let repaired = 0;
  for (let next = 0; next < lines.length; ) {
    await killWithin(append, target, lines.slice(next), random, hosting.dataDir);
    const size = statSync(target).size;
    const torn = lines.find((line) => line.offset < size && size < line.offset + line.content.length);
    if (torn) repaired += 1;
    // The journal's outbox does this after a restart: it sends again whatever isn't known to be done.
    next = lines.findIndex((line) => line.offset + line.content.length > size);
    if (next < 0) next = lines.length;
    for (const line of lines.slice(Math.max(0, next - 1), next + 1)) await host.send(ref, line.offset, line.content);
    next += 1;
  }
  await seen.line(`"n":${lines.length},`);
  const acks = seen.texts.filter((text) => text.includes('"ack"')).map((text) => JSON.parse(text));
  expect(
    acks.map((ack) => [ack.n, ack.bytes, ack.hash]),
    `seed ${seed}`,
  ).toEqual(lines.map((line, i) => [i + 1, line.content.length - 1, hashOf(line.content)]));
  expect(repaired, `torn lines seen, seed ${seed}`).toBeGreaterThan(0);
});

interface Line {
  readonly offset: number;
  readonly letter: string;
  readonly count: number;
  readonly tail: string;
  readonly content: Buffer;
}

const LONG = 12_000_000;

/** A quarter of them are so long that a kill hits the middle of their write. */
function planLines(random: () => number): Line[] {
  let offset = 0;
  return Array.from({ length: 30 }, (_, i) => {
    const [letter, tail] = [String.fromCharCode(97 + (i % 26)), `${i}\n`];
    const count = i % 10 === 5 ? LONG : ([10, 3000, 200_000, LONG][Math.floor(random() * 4)] ?? 10);
    const line = { offset, letter, count, tail, content: Buffer.from(letter.repeat(count) + tail) };
    offset += line.content.length;
    return line;
  });
}

/** Kills the writer at a seeded file size: inside the next long line, or after the last one. */
async function killWithin(append: string, target: string, lines: readonly Line[], random: () => number, folder: string): Promise<void> {
  const plan = join(folder, 'plan.json');
  writeFileSync(plan, JSON.stringify(lines.map(({ offset, letter, count, tail }) => ({ offset, letter, count, tail }))));
  const long = lines.find((line) => line.count === LONG);
  const last = lines.at(-1)!;
  const killAt = long ? long.offset + 1 + Math.floor(random() * LONG * 0.3) : last.offset + last.content.length;
  const fixture = fileURLToPath(new URL('../../test/fixtures/appends-until-killed.mjs', import.meta.url));
  const writer = spawn(process.execPath, [fixture, append, target, plan], { stdio: 'inherit' });
  const exited = once(writer, 'exit');
  while (statSync(target).size < killAt) await turn();
  writer.kill('SIGKILL');
  await exited;
}

function hashOf(content: Buffer): string {
  let [low, high] = [0x84222325, 0xcbf29ce4];
  for (const byte of content.subarray(0, -1)) {
    low = (low ^ byte) >>> 0;
    const product = low * 0x1b3;
    high = (Math.imul(high, 0x1b3) + Math.floor(product / 4294967296) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

function fileWith(content: string): string {
  const path = join(temporaryFolder('append'), 'in.ndjson');
  appendFileSync(path, content);
  return path;
}

import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bytes, collect, createHostSetup } from '../../test/support/engine/test-host.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { RunRef } from './host.ts';
import { watchFolder as fsWatch, type Watch } from './watch.ts';

const folderOf = (dataDir: string, ref: RunRef): string => join(dataDir, 'sessions', ref.sessionId, ref.run);

test('half a line is not delivered before the rest arrives', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref);
  const seen = collect();
  const follower = host.follow(ref, 0, seen);
  await host.send(ref, 0, bytes('half\n'));
  const output = join(folderOf(hosting.dataDir, ref), 'out.ndjson');
  await waitFor('half a line in the file', () => readFileSync(output, 'utf8').endsWith('{"t":"hal'));
  await host.drain();
  expect(seen.texts.at(-1)).toContain('"ack"');
  expect(follower.atByte).toBe(readFileSync(output).length - '{"t":"hal'.length);
  await host.send(ref, 5, bytes('rest\n'));
  expect(await seen.line('half')).toBe('{"t":"half"}');
});

test('[R64] half a line at the end of a run is reported as lost', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref, 'printf', ['whole\\nhal']);
  const seen = collect();
  host.follow(ref, 0, seen);
  await seen.end();
  expect(seen.texts).toEqual(['whole']);
  expect(seen.losses).toEqual([{ from: 6, to: 9, reason: 'the process ended in the middle of a line' }]);
});

test('a line of 20 MB arrives whole, in both directions', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref, 'cat', []);
  const seen = collect();
  host.follow(ref, 0, seen);
  const line = `{"text":"${'ä€😀x'.repeat(2 * 1024 * 1024)}"}`;
  await host.send(ref, 0, bytes(`${line}\nnext\n`));
  await seen.line('next');
  expect(seen.texts.map((text) => text.length)).toEqual([line.length, 4]);
  expect(seen.texts[0] === line).toBe(true);
  expect(seen.starts).toEqual([0, Buffer.byteLength(line) + 1]);
});

test('a line over the limit is reported as lost, and the lines after it are read', async () => {
  const hosting = createHostSetup();
  const host = hosting.open({ limits: { lineBytes: 64 * 1024 } });
  const ref = hosting.run();
  await hosting.start(host, ref, 'cat', []);
  const seen = collect();
  host.follow(ref, 0, seen);
  await host.send(ref, 0, bytes(`${'x'.repeat(100_000)}\nnext\n`));
  await seen.line('next');
  expect(seen.losses).toMatchObject([{ from: 0, to: 100_001 }]);
});

test("[R66] an agent that prints faster than we read doesn't delay others, and none of its lines is lost", async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const [fast, slow] = [hosting.run('fast'), hosting.run('slow')];
  const [flood, answer] = [collect(), collect()];
  await Promise.all([hosting.start(host, fast), hosting.start(host, slow)]);
  host.follow(fast, 0, flood);
  host.follow(slow, 0, answer);
  await Promise.all([flood.line('ready'), answer.line('ready')]);
  await host.send(fast, 0, bytes('flood 300000 100 50\n'));
  await host.send(slow, 0, bytes('hello\n'));
  await answer.line('"ack"');
  expect(flood.texts.some((text) => text.includes('"done"'))).toBe(false);
  await flood.line('"done"');
  const numbers = flood.texts.filter((text) => text.includes('"delta"')).map((text) => JSON.parse(text).i);
  expect(numbers).toEqual(Array.from({ length: 300_000 }, (_, i) => i));
});

const noWatchLeft: Watch = () => {
  throw Object.assign(new Error('no space left on device, watch'), { code: 'ENOSPC' });
};

test('[R65] when no watches are left, output is read by polling, and the stats say so', async () => {
  const hosting = createHostSetup();
  const host = hosting.open({ watch: noWatchLeft, limits: { sweepMs: 60_000 } });
  const ref = hosting.run();
  await hosting.start(host, ref);
  const seen = collect();
  host.follow(ref, 0, seen);
  await seen.line('ready');
  await host.send(ref, 0, bytes('hello\n'));
  await seen.line('"ack"');
  expect(host.stats()).toMatchObject({ following: 1, watchMode: 'poll' });
});

test('watches recover on their own', async () => {
  const hosting = createHostSetup();
  let isLeft = false;
  const rationed: Watch = (...given) => (isLeft ? fsWatch : noWatchLeft)(...given);
  const host = hosting.open({ watch: rationed, limits: { rewatchMs: 50, sweepMs: 50 } });
  const ref = hosting.run();
  await hosting.start(host, ref);
  host.follow(ref, 0, collect());
  expect(host.stats().watchMode).toBe('poll');
  isLeft = true;
  await waitFor('the watch', () => host.stats().watchMode === 'watch');
});

test('a stream that was read on a timer is watched again when it pauses', async () => {
  const hosting = createHostSetup();
  const host = hosting.open({ limits: { sweepMs: 60_000 } });
  const ref = hosting.run();
  await hosting.start(host, ref);
  const seen = collect();
  host.follow(ref, 0, seen);
  await host.send(ref, 0, bytes('pace 300 1000\n'));
  await seen.line('"done"');
  expect(host.stats().watchMode).toBe('watch');
  await host.drain();
  await host.send(ref, 14, bytes('hello\n'));
  await seen.line('"n":2');
  await host.send(ref, 20, bytes('exit 0\n'));
  await seen.end();
});

test('a watch that breaks while in use is replaced', async () => {
  const hosting = createHostSetup();
  const broken: (() => void)[] = [];
  const breakable: Watch = (folder, onName, onBroken) => {
    broken.push(onBroken);
    return fsWatch(folder, onName, () => {});
  };
  const host = hosting.open({ watch: breakable, limits: { rewatchMs: 50, sweepMs: 50 } });
  const ref = hosting.run();
  await hosting.start(host, ref);
  const seen = collect();
  host.follow(ref, 0, seen);
  await seen.line('ready');
  broken[0]!();
  expect(host.stats().watchMode).toBe('poll');
  await waitFor('a second watch', () => broken.length > 1 && host.stats().watchMode === 'watch');
});

test('[R65] the sweep makes up for a lost wake-up', async () => {
  const hosting = createHostSetup();
  const lossyWatch: Watch = () => ({ close: () => {} });
  const host = hosting.open({ watch: lossyWatch });
  const ref = hosting.run();
  await hosting.start(host, ref);
  const seen = collect();
  host.follow(ref, 0, seen);
  await host.send(ref, 0, bytes('hello\n'));
  await seen.line('"ack"');
  await host.send(ref, 6, bytes('exit 4\n'));
  expect(await seen.end()).toMatchObject({ code: 4 });
});

test('a closed follower receives nothing more, and another one continues from its byte without gaps or repeats', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref);
  const [first, second, whole] = [collect(), collect(), collect()];
  const follower = host.follow(ref, 0, first);
  // The agent may have printed everything before its input is on disk.
  const sent = host.send(ref, 0, bytes('flood 20000\n'));
  await waitFor('some lines', () => first.texts.length > 100);
  follower.close();
  follower.close();
  await sent;
  const count = first.texts.length;
  host.follow(ref, follower.atByte, second);
  await second.line('"done"');
  expect(first.texts.length).toBe(count);
  host.follow(ref, 0, whole);
  await whole.line('"done"');
  expect([...first.texts, ...second.texts]).toEqual(whole.texts);
  expect([...first.starts, ...second.starts]).toEqual(whole.starts);
});

test("a run whose files don't exist ends at once", async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const seen = collect();
  host.follow(hosting.run(), 0, seen);
  expect(await seen.end()).toEqual({ stderrTail: '' });
});

test('an output file shorter than the offset, as after a power loss, delivers no line twice', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref, 'printf', ['one\\ntwo\\n']);
  const seen = collect();
  host.follow(ref, 1000, seen);
  await seen.end();
  expect([seen.texts, seen.losses]).toEqual([[], []]);
});

test('a launcher that never becomes the agent is given up after its time limit', async () => {
  const hosting = createHostSetup();
  const host = hosting.open({ limits: { startMs: 100 } });
  const ref = hosting.run();
  mkdirSync(folderOf(hosting.dataDir, ref), { recursive: true });
  writeFileSync(join(folderOf(hosting.dataDir, ref), 'host.json'), '{}');
  appendFileSync(join(folderOf(hosting.dataDir, ref), 'out.ndjson'), '');
  const seen = collect();
  host.follow(ref, 0, seen);
  expect(await seen.end()).toEqual({ stderrTail: '' });
  expect(await host.inspect(ref)).toEqual({ phase: 'absent' });
});

import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bytes, collect, createHostSetup } from '../../test/support/engine/test-host.ts';
import { readRange } from './compress.ts';

test('[R75] an ended run is compressed, and its output reads the same', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref);
  const seen = collect();
  host.follow(ref, 0, seen);
  await host.send(ref, 0, bytes('flood 20000\n'));
  await seen.line('"done"');
  await host.end(ref, { how: 'idle' });
  await seen.end();
  const ranges = [
    [0, seen.atByte],
    [1000, 1010],
    [500_000, 900_000],
    [seen.atByte - 5, seen.atByte + 100],
    [7, 7],
  ] as const;
  const before = await Promise.all(ranges.map(([from, to]) => host.readOutput(ref, from, to)));
  await host.compress(ref);
  const folder = join(hosting.dataDir, 'sessions', ref.sessionId, ref.run);
  expect(
    readdirSync(folder)
      .filter((name) => /ndjson|log/.test(name))
      .sort(),
  ).toEqual(['err.log.gz', 'in.ndjson.gz', 'out.ndjson.gz']);
  expect(statSync(join(folder, 'out.ndjson.gz')).mode & 0o777).toBe(0o600);
  const after = await Promise.all(ranges.map(([from, to]) => host.readOutput(ref, from, to)));
  expect(before.map((range) => range.length)).toEqual([seen.atByte, 10, 400_000, 5, 0]);
  expect(after.map((range, i) => Buffer.from(range).equals(before[i]!))).toEqual(ranges.map(() => true));
  expect(await host.inspect(ref)).toEqual({ phase: 'ended', code: 0 });
});

test('output that is compressed while someone starts reading it can still be read', async () => {
  const hosting = createHostSetup();
  const path = join(hosting.dataDir, 'out.ndjson');
  writeFileSync(path, 'line\n');
  const reading = readRange(path, 0, 5);
  writeFileSync(`${path}.gz`, gzipSync('line\n'));
  rmSync(path);
  expect(Buffer.from(await reading).toString()).toBe('line\n');
});

test('an interrupted compression is done again', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref, 'echo', ['whole']);
  const seen = collect();
  host.follow(ref, 0, seen);
  await seen.end();
  const output = join(hosting.dataDir, 'sessions', ref.sessionId, ref.run, 'out.ndjson');
  writeFileSync(`${output}.gz.new`, 'half');
  await host.compress(ref);
  await host.compress(ref);
  expect(existsSync(output)).toBe(false);
  expect(Buffer.from(await host.readOutput(ref, 0, 100)).toString()).toBe('whole\n');
});

test('a live run is not compressed', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref);
  await expect(host.compress(ref)).rejects.toThrow('has not ended');
});

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { bytes, collect, createHostSetup } from '../../test/support/engine/test-host.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { DiskFull } from './host.ts';

const MB = 1024 * 1024;
const small = mountSmallDisk();
if (!small) console.log('skipped: tests of a full disk need permission to mount a 16 MB tmpfs');

afterAll(() => {
  if (!small) return;
  spawnSync('umount', [small]);
  rmdirSync(small);
});

test.skipIf(!small)('below the reserve, inputs are refused and the reserve is released; both recover when there is space again', async () => {
  const hosting = createHostSetup(small);
  const turns: boolean[] = [];
  const host = hosting.open({ limits: { reserveBytes: 2 * MB, sweepMs: 50 }, onDisk: (isLow) => turns.push(isLow) });
  const ref = hosting.run();
  await hosting.start(host, ref);
  const seen = collect();
  host.follow(ref, 0, seen);
  await host.drain();
  expect(host.stats()).toMatchObject({ reserveHeld: true, diskLow: false });
  expect(statSync(join(hosting.dataDir, 'reserve')).size).toBe(2 * MB);

  const filler = fill(hosting.dataDir, 13 * MB);
  await waitFor('the sweep to notice', () => turns.length === 1);
  expect(turns).toEqual([true]);
  expect(host.stats()).toMatchObject({ reserveHeld: false, diskLow: true });
  expect(existsSync(join(hosting.dataDir, 'reserve'))).toBe(false);
  await expect(host.send(ref, 0, bytes('hello\n'))).rejects.toBeInstanceOf(DiskFull);
  expect(await host.inputSize(ref)).toBe(0);
  await host.send(ref, 0, bytes('interrupt\n'), { urgent: true });
  await seen.line('"ack"');
  await host.send(ref, 0, bytes('interrupt\n')); // repeating a send that is already in the file needs no space

  rmSync(filler);
  await waitFor('the reserve to be back', () => host.stats().reserveHeld);
  expect(turns).toEqual([true, false]);
  await host.send(ref, 10, bytes('hello\n'));
  await seen.line('"n":2');
});

test.skipIf(!small)('[R76] a disk that was low is still low for the next server, until the reserve fits again', async () => {
  const hosting = createHostSetup(small);
  const limits = { reserveBytes: 3 * MB, sweepMs: 50 };
  const first = hosting.open({ limits });
  const ref = hosting.run();
  await hosting.start(first, ref);
  first.follow(ref, 0, collect());
  await first.drain();
  const filler = fill(hosting.dataDir, 11 * MB);
  await waitFor('the sweep to notice', () => first.stats().diskLow);
  await first.close();
  const turns: boolean[] = [];
  const second = hosting.open({ limits, onDisk: (isLow) => turns.push(isLow) }); // it follows no run, and still checks the disk
  expect(second.stats().freeBytes).toBeGreaterThan(limits.reserveBytes);
  expect(second.stats().diskLow).toBe(true);
  rmSync(filler);
  await waitFor('the reserve to be back', () => second.stats().reserveHeld);
  expect(turns).toEqual([true, false]);
});

test.skipIf(!small)('a send cut off by a full disk is completed when there is space again, and the agent gets one whole line', async () => {
  const hosting = createHostSetup(small);
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref, 'sha256sum', []);
  const filler = fill(hosting.dataDir, 15.5 * MB);
  const line = bytes(`${'x'.repeat(2 * MB)}\n`);
  await expect(host.send(ref, 0, line)).rejects.toBeInstanceOf(DiskFull);
  const torn = await host.inputSize(ref);
  expect(torn).toBeGreaterThan(0);
  expect(torn).toBeLessThan(line.length);
  rmSync(filler);
  await host.send(ref, 0, line);
  const input = readFileSync(join(hosting.dataDir, 'sessions', ref.sessionId, ref.run, 'in.ndjson'));
  expect(input.equals(line)).toBe(true);
  const seen = collect();
  host.follow(ref, 0, seen);
  await host.end(ref, { how: 'idle' });
  await seen.end();
  expect(seen.texts[0]).toContain(spawnSync('sha256sum', { input: line, encoding: 'utf8' }).stdout.slice(0, 64));
});

test.skipIf(!small)('an agent can be ended on a disk with no space left', async () => {
  const hosting = createHostSetup(small);
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref);
  const seen = collect();
  host.follow(ref, 0, seen);
  await seen.line('ready');
  const filler = fill(hosting.dataDir, 32 * MB);
  await host.end(ref, { how: 'interrupt', offset: 0, bytes: bytes(`${'x'.repeat(20_000)}\n`) });
  await seen.end();
  rmSync(filler);
  expect(await host.children(ref)).toEqual([]);
});

/** Writes until the file has this size or the disk is full. */
function fill(folder: string, size: number): string {
  const path = join(folder, 'filler');
  try {
    writeFileSync(path, Buffer.alloc(size));
  } catch {
    expect(statSync(path).size).toBeGreaterThan(0);
  }
  return path;
}

function mountSmallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-disk-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'signalbox-test', folder]).status === 0) return folder;
  rmdirSync(folder);
  return undefined;
}

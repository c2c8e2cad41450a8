import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { seenRecord } from '../../../test/support/archive/seen-record.ts';
import { openKeeper } from './open-keeper.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-full-'));
const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'signalbox-test', folder]).status === 0;
if (!isMounted) console.log('skipped: tests of a full disk need permission to mount a 4 MB tmpfs');
afterAll(() => {
  // Lazily: SQLite keeps the closed database until its statements are garbage-collected.
  if (isMounted) spawnSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
});

test.skipIf(!isMounted)('a full disk is reported with a message, damages nothing, and copying continues when there is space', () => {
  const root = mkdtempSync(join(tmpdir(), 'signalbox-full-root-'));
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const clock = { now: Date.now() + 60_000 };
  const keeper = openKeeper({ dataDir, roots: () => [root], mayWrite: () => true, now: () => clock.now });
  const path = join(root, 'one.jsonl');
  // Random hexadecimal digits: they can't be compressed to less than half.
  writeFileSync(path, randomBytes(3_000_000).toString('hex'));
  writeFileSync(join(dataDir, 'ballast'), Buffer.alloc(1_500_000));
  keeper.seen(seenRecord(root, 'one.jsonl', 1));
  while (keeper.step());
  expect(keeper.state().problem).toContain('The disk is full');
  const half = keeper.open({ key: 1, path })!;
  expect(half.read(0, half.size).equals(readFileSync(path).subarray(0, half.size))).toBe(true);
  expect(keeper.step()).toBe(false);

  rmSync(join(dataDir, 'ballast'));
  clock.now += 120_000;
  while (keeper.step());
  expect(keeper.state().problem).toBeUndefined();
  const copy = keeper.open({ key: 1, path })!;
  expect(copy.read(0, copy.size).equals(readFileSync(path))).toBe(true);
  keeper.close();
  rmSync(root, { recursive: true });
});

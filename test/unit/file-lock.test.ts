import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withFileLock } from '../support/file-lock.ts';

const LIMIT_MS = 10_000;
let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-lock-'));
  lock = join(folder, 'x.lock');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a second user of the lock waits until the first is done', async () => {
  const order: string[] = [];
  let finish: () => void = () => undefined;
  const first = withFileLock(lock, LIMIT_MS, async () => {
    order.push('first starts');
    await new Promise<void>((resolve) => (finish = resolve));
    order.push('first ends');
  });
  const second = withFileLock(lock, LIMIT_MS, async () => void order.push('second starts'));
  finish();
  await Promise.all([first, second]);
  expect(order).toEqual(['first starts', 'first ends', 'second starts']);
  expect(existsSync(lock)).toBe(false);
});

test('the lock of a dead process is taken over', async () => {
  writeFileSync(lock, String(spawnSync('true').pid));
  expect(await withFileLock(lock, LIMIT_MS, async () => 'done')).toBe('done');
});

test('waiting too long for a lock fails and names the holder', async () => {
  writeFileSync(lock, String(process.pid));
  await expect(withFileLock(lock, 1, async () => undefined)).rejects.toThrow(`held by process ${process.pid}`);
});

test('the lock is released when the work fails', async () => {
  await expect(withFileLock(lock, LIMIT_MS, () => Promise.reject(new Error('no network')))).rejects.toThrow('no network');
  expect(existsSync(lock)).toBe(false);
});

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const RETRY_MS = 250;

/** Runs `work` while holding a lock file. Waits up to `limitMs` for another holder; the lock of a dead process is removed. */
export async function withFileLock<T>(path: string, limitMs: number, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true });
  const until = Date.now() + limitMs;
  while (!take(path)) {
    if (Date.now() > until) throw new Error(`the lock ${path} was held by process ${holder(path)} for more than ${limitMs / 1000} s`);
    await pause(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const pid = holder(path);
    if (pid !== undefined && !isAlive(pid)) rmSync(path, { force: true });
    return false;
  }
}

function holder(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

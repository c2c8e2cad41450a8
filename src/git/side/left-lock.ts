import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** How long a git process of a killed server may still take. */
const PATIENCE_MS = 5_000;
const LOOK_MS = 50;

/** Locks that a killed git left behind. Only this server writes here, one command at a time, so they are ours once no git of an earlier server runs. */
export async function removeLeftLock(side: string): Promise<void> {
  const locks = await locksIn(side);
  if (locks.length === 0) return;
  await waitUntilUnused(side);
  for (const lock of locks) await rm(lock, { force: true });
}

/** Waits for git processes of a killed server, which may still finish what they were told. */
export async function waitUntilUnused(side: string): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  while (await isInUse(side)) {
    if (Date.now() > until) throw new Error(`A git process of an earlier server still works in ${side}. Try again in a moment.`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function locksIn(side: string): Promise<readonly string[]> {
  const fixed = ['index.lock', 'HEAD.lock', 'packed-refs.lock', 'config.lock'].map((name) => join(side, name)).filter((path) => existsSync(path));
  const refs = await readdir(join(side, 'refs'), { recursive: true }).catch(() => []);
  return [...fixed, ...refs.filter((name) => name.endsWith('.lock')).map((name) => join(side, 'refs', name))];
}

/** Every git command of ours names its side repository. */
async function isInUse(side: string): Promise<boolean> {
  const argument = `--git-dir=${side}`;
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'command='], { maxBuffer: 16 * 1024 * 1024 });
    return stdout.split('\n').some((line) => line.includes(argument));
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.some((line) => line.split('\0').includes(argument));
}

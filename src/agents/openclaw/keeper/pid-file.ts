import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isProgram } from './processes.ts';

const nameIn = (folder: string): string => join(folder, 'pid');

/** The running keeper of this folder. */
export function runningKeeper(folder: string): number | undefined {
  const pid = pidIn(folder);
  return pid !== undefined && isProgram(pid, /openclaw[/-]keeper/) ? pid : undefined;
}

/** Makes this process the keeper; false when there is another. The pid file appears atomically, and only once. */
export function claim(folder: string): boolean {
  const mine = join(folder, `pid.${process.pid}`);
  writeFileSync(mine, `${process.pid}\n`, { mode: 0o600 });
  try {
    return link(mine, folder) || (runningKeeper(folder) === undefined && discard(folder) && link(mine, folder));
  } finally {
    rmSync(mine, { force: true });
  }
}

/** From now on a new session starts its own keeper. */
export function release(folder: string): void {
  if (pidIn(folder) === process.pid) rmSync(nameIn(folder), { force: true });
}

function link(mine: string, folder: string): boolean {
  try {
    linkSync(mine, nameIn(folder));
    return true;
  } catch {
    return false; // another process has it
  }
}

function discard(folder: string): boolean {
  rmSync(nameIn(folder), { force: true });
  return true;
}

/** The pid in the file. */
export function pidIn(folder: string): number | undefined {
  try {
    const pid = Number(readFileSync(nameIn(folder), 'utf8'));
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

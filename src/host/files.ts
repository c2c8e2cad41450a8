import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunRef } from './host.ts';
import { LAUNCH_SCRIPT } from './launch-script.ts';

/** Where the parts of a run lie. Computed from the data folder each time: nothing stores an absolute path, so the folder may move. */
export interface RunFiles {
  readonly folder: string;
  readonly input: string;
  readonly output: string;
  readonly errors: string;
  readonly bell: string;
  readonly pids: string;
  readonly exit: string;
  readonly host: string;
  /** Written before `end` is rung: what is appended after that would never be fed. */
  readonly closing: string;
}

export const OUTPUT_NAME = 'out.ndjson';
export const EXIT_NAME = 'exit';

export function runFiles(dataDir: string, ref: RunRef): RunFiles {
  const folder = join(dataDir, 'sessions', ref.sessionId, ref.run);
  return {
    folder,
    input: join(folder, 'in.ndjson'),
    output: join(folder, OUTPUT_NAME),
    errors: join(folder, 'err.log'),
    bell: join(folder, 'bell'),
    pids: join(folder, 'pids'),
    exit: join(folder, EXIT_NAME),
    host: join(folder, 'host.json'),
    closing: join(folder, 'closing'),
  };
}

export const launcherPath = (dataDir: string): string => join(dataDir, 'launch.sh');

/** Shells read a script while they run it, so a changed launcher is put in place as a new file. */
export function prepareDataFolder(dataDir: string): void {
  mkdirSync(join(dataDir, 'sessions'), { recursive: true, mode: 0o700 });
  const path = launcherPath(dataDir);
  if (readIfThere(path) === LAUNCH_SCRIPT) return;
  writeFileSync(`${path}.new`, LAUNCH_SCRIPT, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RunId, type SessionId } from '../protocol/ids.ts';
import type { RunRef } from './host.ts';
import { LAUNCH_SCRIPT } from './launch-script.ts';

/** Where the files of a run are. Computed from the data folder each time: no absolute path is stored, so the folder can move. */
export interface RunFiles {
  readonly folder: string;
  readonly input: string;
  readonly output: string;
  readonly errors: string;
  readonly bell: string;
  readonly pids: string;
  readonly exit: string;
  readonly host: string;
  /** Written before `end` is rung: anything appended after that would never be fed. */
  readonly closing: string;
}

export const OUTPUT_NAME = 'out.ndjson';
export const EXIT_NAME = 'exit';

export function runFiles(dataDir: string, ref: RunRef): RunFiles {
  const folder = join(sessionFolder(dataDir, ref.sessionId), ref.run);
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

export const sessionFolder = (dataDir: string, session: SessionId): string => join(dataDir, 'sessions', session);

/** The runs of a session, in the order the file system lists them. */
export function runsIn(folder: string): readonly RunId[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const run = RunId.safeParse(name);
    return run.success && existsSync(join(folder, name, 'host.json')) ? [run.data] : [];
  });
}

export const launcherPath = (dataDir: string): string => join(dataDir, 'launch.sh');

/** Also restricts the permissions of a folder that a person created. */
export function makeDataFolder(dataDir: string): void {
  mkdirSync(join(dataDir, 'sessions'), { recursive: true, mode: 0o700 });
  chmodSync(dataDir, 0o700);
}

/** Shells read a script while running it, so a changed launcher is put in place as a new file. */
export function writeLauncher(dataDir: string): void {
  const path = launcherPath(dataDir);
  if (readIfExists(path) === LAUNCH_SCRIPT) return;
  writeFileSync(`${path}.new`, LAUNCH_SCRIPT, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function readIfExists(path: string): string | undefined {
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

/** Makes a folder inside one that must exist. (`recursive` would create a second data folder while the real one is moved away for a moment.) */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

const EXHAUSTED: ReadonlySet<string | undefined> = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);

/** A process that can't be read is gone, unless nothing at all can be read right now. */
export function throwIfExhausted(error: unknown): void {
  if (EXHAUSTED.has(errorCode(error))) throw error;
}

import { accessSync, closeSync, constants, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import type { SearchEnvironment } from './program-locations.ts';

/** This machine as seen with these environment variables. */
export const searchEnvironment = (env: Readonly<Record<string, string>>): SearchEnvironment => ({
  env,
  home: env.HOME || homedir(),
  nodeFolder: dirname(process.execPath),
  list: (folder) => orElse(() => readdirSync(folder), []),
  read: (file) => orElse(() => readFileSync(file, 'utf8'), undefined),
});

export const isFile = (path: string): boolean => orElse(() => statSync(path).isFile(), false);
export const isExecutable = (path: string): boolean => isFile(path) && orElse(() => accessSync(path, constants.X_OK) === undefined, false);

/** Enough for a `#!` line. */
const FIRST_LINE_BYTES = 256;

/** The first line of a file, if it is text. */
export function firstLine(path: string): string {
  const bytes = Buffer.alloc(FIRST_LINE_BYTES);
  const count = orElse(() => {
    const fd = openSync(path, 'r');
    try {
      return readSync(fd, bytes, 0, FIRST_LINE_BYTES, 0);
    } finally {
      closeSync(fd);
    }
  }, 0);
  return bytes.subarray(0, count).toString('latin1').split('\n', 1)[0] ?? '';
}

/** The result of `look`, or `none` when it throws: what can't be read counts as missing. */
export function orElse<T>(look: () => T, none: T): T {
  try {
    return look();
  } catch {
    return none;
  }
}

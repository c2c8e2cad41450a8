import { execFile } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Reads and parses every line of these files, in a separate process. */
export async function parseFloor(list: string): Promise<{ readonly ms: number; readonly lines: number }> {
  return JSON.parse((await run(process.execPath, [pathOf('./floor-parse.mjs'), list])).stdout);
}

export interface IndexFloor {
  readonly ms: number;
  readonly bytes: number;
  readonly rows: number;
  readonly size: number;
}

export async function indexFloor(texts: string, database: string, tokenizer: string): Promise<IndexFloor> {
  return JSON.parse((await run(process.execPath, [pathOf('./floor-index.mjs'), texts, database, tokenizer], { maxBuffer: 1 << 20 })).stdout);
}

export function statFloor(files: readonly string[]): number {
  const since = performance.now();
  for (const file of files) lstatSync(file);
  return performance.now() - since;
}

/** How long ripgrep takes to find a word in a folder; undefined when ripgrep is not installed. */
export async function ripgrep(word: string, folder: string): Promise<number | undefined> {
  const since = performance.now();
  try {
    await run('rg', ['--fixed-strings', '--count', '--no-ignore', '--hidden', word, folder], { maxBuffer: 1 << 26 });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  }
  return performance.now() - since;
}

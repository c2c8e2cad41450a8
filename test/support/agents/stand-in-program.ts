import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('../../fixtures/stand-in.c', import.meta.url));
const SCRIPT = fileURLToPath(new URL('../../fixtures/stand-in.mjs', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../.cache/', import.meta.url));

export interface StandIn {
  readonly command: string;
  readonly args: readonly string[];
  /** Which of the two it is; benchmarks print it. */
  readonly kind: 'c' | 'node';
}

/** The stand-in agent of test/fixtures/stand-in.c, compiled once; without a C compiler, the same program in Node. */
export function standIn(): StandIn {
  const binary = `${CACHE}stand-in-${createHash('sha256').update(readFileSync(SOURCE)).digest('hex').slice(0, 12)}`;
  if (existsSync(binary) || compile(binary)) return { command: binary, args: [], kind: 'c' };
  return { command: process.execPath, args: [SCRIPT], kind: 'node' };
}

/** Compiled under a unique name first: several test files may compile at the same time. */
function compile(binary: string): boolean {
  mkdirSync(CACHE, { recursive: true });
  const part = `${binary}.${process.pid}`;
  const { status } = spawnSync('cc', ['-O2', '-o', part, SOURCE]);
  if (status !== 0) return false;
  renameSync(part, binary);
  return true;
}

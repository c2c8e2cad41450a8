import type { ParseArgsConfig } from 'node:util';
import type { CliConfig, CliDeps } from './deps.ts';

export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

export type Flags = NonNullable<ParseArgsConfig['options']>;
export type Given = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

/** One word of the command line, in one file. */
export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  /** Whole text of `--help`: usage, flags and examples. */
  readonly help: string;
  readonly flags: Flags;
  /** The exit code. */
  run<C extends CliConfig>(deps: CliDeps<C>, given: Given, words: readonly string[]): Promise<number>;
}

/** Wrong use: the message says what was meant instead. Exit code 2. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}

/** Something that could not be done, in words for people. Exit code 1. */
export class CliProblem extends Error {
  override readonly name = 'CliProblem';
}

/** Flags that every command takes. */
export const COMMON_FLAGS: Flags = { data: { type: 'string' }, help: { type: 'boolean', short: 'h' } };

export const textOf = (given: Given, flag: string): string | undefined => {
  const value = given[flag];
  return typeof value === 'string' ? value : undefined;
};

import type { ParseArgsConfig } from 'node:util';
import type { CliConfig, CliDeps } from './deps.ts';

export const EXIT = { ok: 0, failed: 1, usage: 2, needsPerson: 3, refused: 4 } as const;

export type Flags = NonNullable<ParseArgsConfig['options']>;
export type Given = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

/** One subcommand; each has its own file. */
export interface CliCommand {
  readonly name: string;
  readonly summary: string;
  /** The text of `--help`: usage, flags and examples. */
  readonly help: string;
  /** Not listed: other programs call it. */
  readonly isHidden?: boolean;
  readonly flags: Flags;
  /** The exit code. */
  run<C extends CliConfig>(deps: CliDeps<C>, given: Given, positionals: readonly string[]): Promise<number>;
}

/** Wrong usage: the message says how to fix the command line. Exit code 2. */
export class UsageProblem extends Error {
  override readonly name = 'UsageProblem';
}

interface ProblemFacts extends ErrorOptions {
  /** 1 unless something else is meant. */
  readonly exit?: number;
  /** No server answers now; one that restarts does soon. */
  readonly isAway?: boolean;
  /** Of the server's answer. */
  readonly status?: number;
}

/** Something failed, with a message for people. */
export class CliProblem extends Error {
  override readonly name = 'CliProblem';
  readonly exit: number;
  readonly isAway: boolean;
  readonly status: number | undefined;

  constructor(message: string, { exit = EXIT.failed, isAway = false, status, ...options }: ProblemFacts = {}) {
    super(message, options);
    this.exit = exit;
    this.isAway = isAway;
    this.status = status;
  }
}

/** Flags of every command. */
export const COMMON_FLAGS: Flags = { data: { type: 'string' }, help: { type: 'boolean', short: 'h' } };

export const textOf = (given: Given, flag: string): string | undefined => {
  const value = given[flag];
  return typeof value === 'string' ? value : undefined;
};

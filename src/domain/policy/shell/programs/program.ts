import type { Grammar } from '../arguments.ts';

/** The forms of a program that a wildcard can cover. */
export interface Program extends Grammar {
  /** Its subcommands, of one word or two; `''` for a call without one. Any other is asked about. */
  readonly commands?: Readonly<Record<string, Grammar>>;
  /** Options before the subcommand that change nothing about it. */
  readonly globals?: string;
}

/** The same grammar for several names. */
export const each = <T>(names: string, value: T): Record<string, T> => Object.fromEntries(names.split(/\s+/).map((name) => [name, value]));

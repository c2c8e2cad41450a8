import type { Adapter } from '../agents/adapter.ts';

/** Finds an agent's executable and asks its version. */
export interface Locator {
  /** Its version is asked once per file as it is now, or `rescan`. */
  find(adapter: Adapter, rescan?: 'rescan'): Promise<Located>;
  /** Where the package lies, and programs of ours below it. */
  readonly packageRoot: string;
}

/** What runs a program that does not run by itself, or not well enough. */
export interface Interpreter {
  readonly path: string;
  readonly foundBy: string;
  readonly version?: string;
  /** The program is a script that starts another one: its folder goes first on PATH, and the program is run as it is. */
  readonly isOnPath?: true;
}

/** `foundBy`: the variable, PATH, or the installer in whose place it lies. */
export type Located =
  | { readonly available: true; readonly path: string; readonly foundBy?: string; readonly version?: string; readonly interpreter?: Interpreter }
  | { readonly available: false; readonly problem: string; readonly path?: string; readonly foundBy?: string };

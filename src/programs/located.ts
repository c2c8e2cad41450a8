import type { Adapter } from '../agents/port/adapter.ts';

/** Finds an agent's executable and its version. */
export interface Locator {
  /** The version is read once until the file changes; `rescan` reads it again. */
  find(adapter: Adapter, rescan?: 'rescan'): Promise<Located>;
  /** The folder of the Signalbox package, which contains our own programs. */
  readonly packageRoot: string;
}

/** Runs a program that can't run by itself, or only with a Node that is too old. */
export interface Interpreter {
  readonly path: string;
  readonly foundBy: string;
  readonly version?: string;
  /** The program is a script that starts another one: the interpreter's folder comes first on PATH, and the script runs by itself. */
  readonly isOnPath?: true;
}

/** `foundBy`: the variable, PATH, or the installer whose folder it is in. */
export type Located =
  | { readonly available: true; readonly path: string; readonly foundBy?: string; readonly version?: string; readonly interpreter?: Interpreter }
  | { readonly available: false; readonly problem: string; readonly path?: string; readonly foundBy?: string };

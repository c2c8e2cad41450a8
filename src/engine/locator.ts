import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Adapter } from '../agents/adapter.ts';
import type { Located, Locator } from './deps.ts';

export interface LocatorOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Where the package lies: programs of our own are found below it. */
  readonly packageRoot: string;
  /** Paths a person set in the config file, by agent id. */
  readonly paths: Readonly<Record<string, string>>;
}

/** A CLI that cannot say its version in this time will not be usable either. Cold starts of large binaries took up to 4 s under load. */
const VERSION_LIMIT_MS = 15_000;

/** Finds executables on this machine; the version is asked once per file as it is now. */
export function createLocator(options: LocatorOptions): Locator {
  const versions = new Map<string, Promise<string | Error>>();
  return {
    find: async (adapter) => {
      const path = pathOf(adapter, options);
      if (typeof path !== 'string') return path;
      if (adapter.locate.builtin !== undefined) return { available: true, path };
      const stamp = `${path} ${statSync(path).mtimeMs}`;
      const version = versions.get(stamp) ?? askVersion(path, adapter.locate.versionArgs, options.env);
      versions.set(stamp, version);
      const answer = await version;
      if (answer instanceof Error) versions.delete(stamp);
      return located(adapter, path, answer);
    },
  };
}

function located(adapter: Adapter, path: string, answer: string | Error): Located {
  if (!(answer instanceof Error)) return { available: true, path, version: answer };
  return { available: false, path, problem: `${adapter.title} was found at ${path} but does not run: ${answer.message}` };
}

function pathOf(adapter: Adapter, { env, packageRoot, paths }: LocatorOptions): string | Located {
  const { builtin, variable, names } = adapter.locate;
  if (builtin !== undefined) return join(packageRoot, builtin);
  const named = paths[adapter.id] ?? (variable === undefined ? undefined : env[variable]);
  if (named !== undefined && named !== '') {
    return isExecutable(named)
      ? named
      : { available: false, path: named, problem: `${named} is not a program that can be run. ${variable ?? 'The setting'} should name ${adapter.title}.` };
  }
  const found = (env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  const path = found.find(isExecutable);
  return (
    path ?? {
      available: false,
      problem: `${adapter.title} is not installed: there is no ${names.join(' or ')} on PATH${variable === undefined ? '' : `, and ${variable} is not set`}.`,
    }
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function askVersion(path: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<string | Error> {
  return new Promise((resolve) => {
    execFile(path, [...args], { env: { ...env }, timeout: VERSION_LIMIT_MS, encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error !== null) resolve(new Error((stderr.trim() || error.message).slice(0, 500)));
      else resolve(/\d+\.\d+[\w.-]*/.exec(stdout)?.[0] ?? stdout.trim().slice(0, 100));
    });
  });
}

import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Adapter } from '../agents/adapter.ts';
import { runnableEnv } from './agent-env.ts';
import { askVersion, VERSION_LIMIT_MS, type VersionAnswer } from './ask-version.ts';
import type { Located, Locator } from './deps.ts';
import { type Candidate, candidates, type Surroundings } from './program-places.ts';

export interface LocatorOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Where the package lies: programs of our own are found below it. */
  readonly packageRoot: string;
  /** Paths a person set in the config file, by agent id. */
  readonly paths: Readonly<Record<string, string>>;
  readonly versionLimitMs?: number;
}

/** Finds executables on this machine; the version is asked once per file as it is now. */
export function createLocator(options: LocatorOptions): Locator {
  const versions = new Map<string, Promise<VersionAnswer>>();
  const { env, packageRoot, versionLimitMs: limitMs = VERSION_LIMIT_MS } = options;
  return {
    packageRoot,
    find: async (adapter) => {
      const { builtin, versionArgs } = adapter.locate;
      if (builtin !== undefined) return { available: true, path: join(packageRoot, builtin) };
      const found = lookFor(adapter, options);
      if ('problem' in found) return { available: false, ...found };
      const { path } = found;
      const stamp = `${path} ${statSync(path).mtimeMs}`;
      const asked = versions.get(stamp) ?? askVersion({ path, args: versionArgs, env: runnableEnv(env, path), limitMs });
      versions.set(stamp, asked);
      const answer = await asked;
      if ('problem' in answer) versions.delete(stamp);
      return located(adapter, found, answer);
    },
  };
}

function located({ title, locate }: Adapter, { path, way }: Candidate, answer: VersionAnswer): Located {
  if ('version' in answer) return { available: true, path, foundBy: way, version: answer.version };
  const other = locate.variable === undefined ? '' : ` Repair it, or name another one in ${locate.variable}.`;
  const why = locate.explain?.(answer.problem) ?? answer.problem;
  return { available: false, path, foundBy: way, problem: `${title} was found at ${path} (by ${way}) but does not run: ${why}.${other}` };
}

type NotFound = { readonly problem: string; readonly path?: string; readonly foundBy?: string };

/** What a person named is taken or complained about; only when nothing is named is it looked for. */
function lookFor(adapter: Adapter, { env, paths }: LocatorOptions): Candidate | NotFound {
  const named = namedPath(adapter, env, paths);
  if (named !== undefined) return isExecutable(named.path) ? named : unusable(adapter, named);
  const all = candidates(adapter.locate, surroundings(env));
  const found = all.find(({ path }) => isExecutable(path));
  if (found !== undefined) return found;
  const there = all.find(({ path }) => isFile(path));
  return there === undefined ? { problem: notInstalled(adapter) } : unusable(adapter, there);
}

function namedPath({ id, locate }: Adapter, env: LocatorOptions['env'], paths: LocatorOptions['paths']): Candidate | undefined {
  const inVariable = locate.variable === undefined ? undefined : env[locate.variable];
  if (inVariable !== undefined && inVariable !== '') return { path: inVariable, way: locate.variable ?? '' };
  const inFile = paths[id];
  return inFile === undefined || inFile === '' ? undefined : { path: inFile, way: `agents.${id}.path of config.json` };
}

function unusable({ title }: Adapter, { path, way }: Candidate): NotFound {
  const why = isFile(path) ? `is there but may not be run: chmod +x ${path}` : 'is not a file';
  return { path, foundBy: way, problem: `${path} (by ${way}), which should be ${title}, ${why}.` };
}

function notInstalled({ title, locate: { names, variable, install } }: Adapter): string {
  const where = names.length === 0 ? '' : `: there is no ${names.join(' or ')} on PATH nor where npm, nvm, fnm, volta, bun, pnpm or Homebrew put it`;
  const how = install === undefined ? '' : ` To install it: ${install}.`;
  const elsewhere = variable === undefined ? '' : ` If it is elsewhere, name it in ${variable}.`;
  return `${title} was not found${where}.${how}${elsewhere}`;
}

const surroundings = (env: Readonly<Record<string, string>>): Surroundings => ({
  env,
  home: env.HOME || homedir(),
  nodeFolder: dirname(process.execPath),
  list: (folder) => orElse(() => readdirSync(folder), []),
  read: (file) => orElse(() => readFileSync(file, 'utf8'), undefined),
});

const isFile = (path: string): boolean => orElse(() => statSync(path).isFile(), false);
const isExecutable = (path: string): boolean => isFile(path) && orElse(() => accessSync(path, constants.X_OK) === undefined, false);

/** A place that cannot be looked into holds nothing for us. */
function orElse<T>(look: () => T, none: T): T {
  try {
    return look();
  } catch {
    return none;
  }
}

import { join } from 'node:path';
import type { Adapter } from '../agents/port/adapter.ts';
import type { AgentRuntimes } from '../agents/port/agent-runtime.ts';
import type { AgentId } from '../protocol/ids.ts';
import { withoutValues } from './agent-environments.ts';
import { VERSION_LIMIT_MS } from './ask-version.ts';
import { runnableEnv } from './environment.ts';
import { chooseInterpreter } from './interpreter.ts';
import type { Located, Locator } from './located.ts';
import { isExecutable, isFile, searchEnvironment } from './machine-files.ts';
import { type Candidate, candidates } from './program-locations.ts';
import { runWithInterpreter } from './run-with-interpreter.ts';
import { Versions } from './versions.ts';

export interface LocatorOptions {
  /** The environment that an agent's processes inherit. */
  readonly envFor: (agent: AgentId) => Readonly<Record<string, string>>;
  /** The folder of the Signalbox package, which contains our own programs. */
  readonly packageRoot: string;
  /** Paths a person set in the config file, by agent id. */
  readonly paths: Readonly<Record<string, string>>;
  readonly runtimes: AgentRuntimes;
  readonly versionLimitMs?: number;
}

/** Finds executables on this machine and what runs them; a version is read once until the file changes. */
export function createLocator(options: LocatorOptions): Locator {
  const versions = new Versions(options.versionLimitMs ?? VERSION_LIMIT_MS);
  return { packageRoot: options.packageRoot, find: (adapter, rescan) => find(adapter, options, versions, rescan) };
}

async function find(adapter: Adapter, options: LocatorOptions, versions: Versions, rescan: 'rescan' | undefined): Promise<Located> {
  const { builtin, versionArgs } = adapter.locate;
  if (builtin !== undefined) return { available: true, path: join(options.packageRoot, builtin) };
  const env = options.envFor(adapter.id);
  const found = locateProgram(adapter, env, options.paths);
  if ('problem' in found) return { available: false, ...found };
  const runtime = options.runtimes[adapter.id];
  const choice = await chooseInterpreter({ adapter, program: found.path, runtime, env, versions });
  if ('problem' in choice) return unrunnable(adapter, found, choice.problem);
  const { command, ...asked } = runWithInterpreter(choice.interpreter, found.path, {
    command: found.path,
    args: versionArgs,
    env: runnableEnv(env, found.path),
  });
  const answer = await versions.of({ path: command, ...asked }, rescan);
  const here = { path: found.path, foundBy: found.foundBy, ...(choice.interpreter !== undefined && { interpreter: choice.interpreter }) };
  if ('version' in answer) return { available: true, ...here, version: answer.version };
  const why = adapter.locate.explain?.(answer.problem) ?? [choice.unmetNeed, answer.problem].filter((part) => part !== undefined).join('; ');
  return unrunnable(adapter, found, `does not run: ${withoutValues(why, runtime?.env)}`);
}

function unrunnable({ id, title, locate }: Adapter, { path, foundBy }: Candidate, why: string): Located {
  const other = locate.variable === undefined ? '' : `, or name another one in ${locate.variable}`;
  const node = why.includes('needs Node') ? ` Name a Node that will do in agents.${id}.interpreter of config.json${other}.` : '';
  const repair = node !== '' || other === '' ? node : ` Repair it${other}.`;
  return { available: false, path, foundBy, problem: `${title} was found at ${path} (via ${foundBy}) but ${why}.${repair}` };
}

type Env = Readonly<Record<string, string>>;
type NotFound = { readonly problem: string; readonly path?: string; readonly foundBy?: string };

/** A path that a person set is used or reported as a problem. Signalbox searches only when none is set. */
function locateProgram(adapter: Adapter, env: Env, paths: LocatorOptions['paths']): Candidate | NotFound {
  const named = namedPath(adapter, env, paths);
  if (named !== undefined) return isExecutable(named.path) ? named : unusable(adapter, named);
  const all = candidates(adapter.locate, searchEnvironment(env));
  const found = all.find(({ path }) => isExecutable(path));
  if (found !== undefined) return found;
  const existing = all.find(({ path }) => isFile(path));
  return existing === undefined ? { problem: notInstalled(adapter) } : unusable(adapter, existing);
}

function namedPath({ id, locate }: Adapter, env: Env, paths: LocatorOptions['paths']): Candidate | undefined {
  const inVariable = locate.variable === undefined ? undefined : env[locate.variable];
  if (inVariable !== undefined && inVariable !== '') return { path: inVariable, foundBy: locate.variable ?? '' };
  const inFile = paths[id];
  return inFile === undefined || inFile === '' ? undefined : { path: inFile, foundBy: `agents.${id}.${locate.setting ?? 'path'} of config.json` };
}

function unusable({ title }: Adapter, { path, foundBy }: Candidate): NotFound {
  const why = isFile(path) ? `exists but can't be executed. Run: chmod +x ${path}` : 'is not a file';
  return { path, foundBy, problem: `${path} (from ${foundBy}), which should be ${title}, ${why}.` };
}

function notInstalled({ title, locate: { names, variable, install } }: Adapter): string {
  const where = names.length === 0 ? '' : `: there is no ${names.join(' or ')} on PATH nor where npm, nvm, fnm, volta, bun, pnpm or Homebrew install it`;
  const how = install === undefined ? '' : ` To install it: ${install}.`;
  const elsewhere = variable === undefined ? '' : ` Installed elsewhere? Set ${variable}.`;
  return `${title} was not found${where}.${how}${elsewhere}`;
}

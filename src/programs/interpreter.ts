import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import * as z from 'zod/mini';
import type { Adapter } from '../agents/port/adapter.ts';
import type { AgentRuntime } from '../agents/port/agent-runtime.ts';
import { runnableEnv } from './environment.ts';
import type { Interpreter } from './located.ts';
import { firstLine, isExecutable, orElse, searchEnvironment } from './machine-files.ts';
import { type Candidate, candidates, nodeFolders } from './program-locations.ts';
import { formatRange, isInRange } from './version-range.ts';
import type { Versions } from './versions.ts';

export interface InterpreterSearch {
  readonly adapter: Pick<Adapter, 'id' | 'locate'>;
  /** Where the agent's program was found. */
  readonly program: string;
  readonly runtime: AgentRuntime | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly versions: Versions;
}

/**
 * What runs the program: the program itself, an interpreter, or nothing on this machine. `unmetNeed` is a requirement of its package that nothing here meets: the
 * program is tried anyway, and the requirement is reported if that fails.
 */
export type Choice = { readonly interpreter?: Interpreter; readonly unmetNeed?: string } | { readonly problem: string };

export async function chooseInterpreter(search: InterpreterSearch): Promise<Choice> {
  const { runtime, adapter, program } = search;
  if (runtime?.interpreter !== undefined) return named(search, runtime.interpreter);
  const declared = adapter.locate.needs?.node;
  const range = isNodeScript(program) ? (enginesOf(program) ?? declared) : isScript(program) ? declared : undefined;
  if (range === undefined) return {};
  const usual = await versionOf(search, usualNode(search));
  if (usual !== undefined && isInRange(usual, range)) return {};
  const better = await suitable(search, range);
  if (better !== undefined) return { interpreter: isNodeScript(program) ? better : { ...better, isOnPath: true } };
  const needs = describeNeed(range, usual);
  return declared === undefined ? { unmetNeed: needs } : { problem: needs };
}

export const describeNeed = (range: string, found: string | undefined): string => `needs Node ${formatRange(range)}, found ${found ?? 'none'}`;

/** An interpreter from the config file is used or reported as a problem. */
async function named(search: InterpreterSearch, interpreter: string): Promise<Choice> {
  const { adapter, env, program } = search;
  const foundBy = `agents.${adapter.id}.interpreter of config.json`;
  const path = isAbsolute(interpreter) ? interpreter : candidates({ names: [interpreter] }, searchEnvironment(env)).find((one) => isExecutable(one.path))?.path;
  if (path === undefined || !isExecutable(path)) return { problem: `needs ${path ?? interpreter} (${foundBy}), which is not installed here` };
  const version = await versionOf(search, path);
  const range = enginesOf(program) ?? adapter.locate.needs?.node;
  const isOutOfRange = range !== undefined && version !== undefined && isNode(path) && !isInRange(version, range);
  return isOutOfRange
    ? { problem: `${describeNeed(range, version)} (${foundBy})` }
    : { interpreter: { path, foundBy, ...(version !== undefined && { version }) } };
}

const isNode = (path: string): boolean => /^node/.test(basename(path));

/** The first Node in the range: the one next to the program, those on PATH, then those of version managers. */
async function suitable(search: InterpreterSearch, range: string): Promise<Interpreter | undefined> {
  for (const { path, foundBy } of nodes(search)) {
    const version = isExecutable(path) ? await versionOf(search, path) : undefined;
    if (version !== undefined && isInRange(version, range)) return { path, foundBy: `looking for Node ${formatRange(range)}: ${foundBy}`, version };
  }
  return undefined;
}

function nodes({ program, env }: InterpreterSearch): readonly Candidate[] {
  const environment = searchEnvironment(env);
  const managed = nodeFolders(environment).flatMap(({ foundBy, folders }) => folders.map((folder) => ({ path: join(folder, 'node'), foundBy })));
  return [{ path: join(dirname(program), 'node'), foundBy: 'beside it' }, ...candidates({ names: ['node'] }, environment), ...managed];
}

/** The Node that `env node` would find. */
function usualNode({ program, env }: InterpreterSearch): string | undefined {
  const fixed = /^#!\s*(\/\S*node)\b/.exec(firstLine(program))?.[1];
  if (fixed !== undefined && !fixed.endsWith('/env')) return fixed;
  const { PATH = '' } = runnableEnv(env, program);
  return PATH.split(':')
    .map((folder) => join(folder, 'node'))
    .find(isExecutable);
}

async function versionOf({ env, versions }: InterpreterSearch, path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const answer = await versions.of({ path, args: ['--version'], env: runnableEnv(env, path) });
  return 'version' in answer ? answer.version : undefined;
}

const isScript = (program: string): boolean => firstLine(program).startsWith('#!');
const isNodeScript = (program: string): boolean => /^#!.*\bnode\b/.test(firstLine(program));

const Package = z.object({ engines: z.object({ node: z.string() }) });

/** The Node range that the program's package requires. */
function enginesOf(program: string): string | undefined {
  const environment = searchEnvironment({});
  for (let folder = dirname(orElse(() => realpathSync(program), program)); folder !== dirname(folder); folder = dirname(folder)) {
    const text = environment.read(join(folder, 'package.json'));
    if (text === undefined) continue;
    const parsed = z.safeParse(
      Package,
      orElse<unknown>(() => JSON.parse(text), undefined),
    );
    return parsed.success ? parsed.data.engines.node : undefined;
  }
  return undefined;
}

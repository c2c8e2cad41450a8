import { existsSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { errorCode, type RunFiles } from './files.ts';
import { DiskFull, type Ending, InputTorn } from './host.ts';
import { type Identity, isAlive, signal } from './identity.ts';
import type { HostLimits } from './limits.ts';
import type { Process } from './processes.ts';
import type { Bells } from './ring-feeders.ts';
import { isShellAlive, readPids } from './state.ts';
import { type Family, membersOf, sweepRun } from './sweep.ts';
import { until } from './tasks/until.ts';

export interface EndRunContext {
  readonly limits: HostLimits;
  readonly bells: Bells;
  scan(): Promise<readonly Process[]>;
  /** Appends in the order of sends, even when the disk is low. */
  append(offset: number, bytes: Uint8Array): Promise<void>;
}

/** From asking to KILL, each step only if the previous one didn't help; always followed by a sweep. */
export async function endRun(files: RunFiles, how: Ending, context: EndRunContext): Promise<void> {
  const family: Family = new Map();
  const agent = readPids(files)?.agent;
  if (agent) await endAgent(agent, files, how, family, context);
  closeInput(files);
  await until(() => existsSync(files.exit) || !isShellAlive(files), context.limits.exitMs);
  context.bells.end(files.bell); // if the shell was killed, its feeder is still waiting
  await until(() => !isShellAlive(files), context.limits.exitMs);
  await sweepRun(basename(files.folder), family, context.scan, context.limits);
}

async function endAgent(agent: Identity, files: RunFiles, how: Ending, family: Family, context: EndRunContext): Promise<void> {
  const { limits } = context;
  const isGone = (): boolean => !isAlive(agent);
  if (isGone()) return;
  await remember(files, family, context);
  if (await ask(files, how, context)) if (await until(isGone, limits.askedMs)) return;
  const steps = [
    ['SIGINT', limits.intMs],
    ['SIGTERM', limits.termMs],
    ['SIGKILL', limits.sweepKillMs],
  ] as const;
  for (const [name, limitMs] of steps) {
    await remember(files, family, context);
    signal(agent, name);
    if (await until(isGone, limitMs)) return;
  }
}

/** Children of tools live in sessions of their own; once their parent is dead, only their marker shows which run they belong to. */
async function remember(files: RunFiles, family: Family, context: EndRunContext): Promise<void> {
  membersOf(basename(files.folder), family, await context.scan());
}

/** Returns whether there was a way to ask. */
async function ask(files: RunFiles, how: Ending, context: EndRunContext): Promise<boolean> {
  if (how.how === 'signal') return false;
  if (how.how === 'interrupt' && !(await appended(how, context))) return false;
  closeInput(files);
  context.bells.end(files.bell);
  return true;
}

/** If the interrupt can't be written, `end` alone would let the agent continue unattended, so signals follow at once. */
async function appended(how: Ending & { how: 'interrupt' }, context: EndRunContext): Promise<boolean> {
  try {
    await context.append(how.offset, how.bytes);
    return true;
  } catch (error) {
    if (error instanceof DiskFull || error instanceof InputTorn) return false;
    throw error;
  }
}

/** Stored in the folder, so that a later server doesn't append to a run that is ending. */
export function closeInput(files: RunFiles): void {
  try {
    if (existsSync(files.folder)) writeFileSync(files.closing, '', { mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== 'ENOSPC') throw error; // ending must continue even if nothing can be written; in that case `send` refuses anyway
  }
}

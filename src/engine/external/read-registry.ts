import { readdir, readFile, stat } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentRegistry, Holder } from '../../agents/port/adapter.ts';
import { HAS_PROC, identify } from '../../host/identity.ts';

/** It can't be determined now which programs have conversations open. That is not the same as none. */
export class HoldersUnknown extends Error {
  override readonly name = 'HoldersUnknown';
}

/** The live processes in an agent's registry. A missing folder or file means none; any other failure throws. */
export async function readRegistry(registry: AgentRegistry, folder: string, isOurs: (pid: number) => boolean): Promise<readonly Holder[]> {
  const names = (await unlessMissing(readdir(folder), folder)) ?? [];
  const found = await Promise.all(names.map((name) => holderIn(registry, join(folder, name), name, isOurs)));
  return found.filter((holder) => holder !== undefined);
}

/** A file is written in one go, so a torn one is complete a moment later. */
const TORN_LIMIT_MS = 500;
const LOOK_AGAIN_MS = 25;

async function holderIn(registry: AgentRegistry, path: string, name: string, isOurs: (pid: number) => boolean): Promise<Holder | undefined> {
  const pid = registry.pidOf(name);
  if (pid === undefined || isOurs(pid)) return undefined;
  const deadline = performance.now() + TORN_LIMIT_MS;
  while (identify(pid) !== undefined) {
    const text = await unlessMissing(readFile(path, 'utf8'), path);
    const entry = text === undefined ? undefined : registry.read(name, text);
    if (entry !== 'torn') return entry !== undefined && isRunning(entry) ? entry : undefined;
    if (await isLeftBehind(path, pid)) return undefined;
    if (performance.now() > deadline) throw new HoldersUnknown(`${path} is torn, and process ${pid} lives`);
    await sleep(LOOK_AGAIN_MS);
  }
  return undefined;
}

/** Whether exactly this process runs now. */
export const isRunning = ({ pid, start }: Holder): boolean => identify(pid)?.start === start;

async function unlessMissing<T>(reading: Promise<T>, path: string): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new HoldersUnknown(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Start times have a resolution of 10 ms, and clocks get adjusted: a file up to this much older than the process may still be its own. */
const CLOCK_SLACK_MS = 2000;

/** Whether the file is older than the process that has this pid now: a kill left it torn, and its writer is gone. */
async function isLeftBehind(path: string, pid: number): Promise<boolean> {
  const [writtenAt, start] = [(await unlessMissing(stat(path), path))?.mtimeMs, identify(pid)?.start];
  if (writtenAt === undefined || start === undefined) return true;
  const startedAt = HAS_PROC ? Date.now() - (uptime() - Number(start) / 100) * 1000 : Date.parse(start);
  return writtenAt < startedAt - CLOCK_SLACK_MS;
}

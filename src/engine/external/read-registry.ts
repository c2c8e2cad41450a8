import { readdir, readFile, stat } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentRegistry, Holder } from '../../agents/adapter.ts';
import { HAS_PROC, identify } from '../../host/identity.ts';

/** It cannot be told now which programs hold conversations: that is not the same as none. */
export class HoldersUnknown extends Error {
  override readonly name = 'HoldersUnknown';
}

/** What an agent's registry says of the processes that live. Only a folder or a file that is not there says nothing; any other trouble is thrown. */
export async function readRegistry(registry: AgentRegistry, folder: string, isOurs: (pid: number) => boolean): Promise<readonly Holder[]> {
  const names = (await unlessMissing(readdir(folder), folder)) ?? [];
  const found = await Promise.all(names.map((name) => holderIn(registry, join(folder, name), name, isOurs)));
  return found.filter((holder) => holder !== undefined);
}

/** A file is written in one go, so one that is torn is whole a moment later. */
const TORN_LIMIT_MS = 500;
const LOOK_AGAIN_MS = 25;

async function holderIn(registry: AgentRegistry, path: string, name: string, isOurs: (pid: number) => boolean): Promise<Holder | undefined> {
  const pid = registry.pidOf(name);
  if (pid === undefined || isOurs(pid)) return undefined;
  const deadline = performance.now() + TORN_LIMIT_MS;
  while (identify(pid) !== undefined) {
    const text = await unlessMissing(readFile(path, 'utf8'), path);
    const entry = text === undefined ? undefined : registry.read(name, text);
    if (entry !== 'torn') return entry !== undefined && isThere(entry) ? entry : undefined;
    if (await isLeftBehind(path, pid)) return undefined;
    if (performance.now() > deadline) throw new HoldersUnknown(`${path} is torn, and process ${pid} lives`);
    await sleep(LOOK_AGAIN_MS);
  }
  return undefined;
}

/** Exactly this process runs now. */
export const isThere = ({ pid, start }: Holder): boolean => identify(pid)?.start === start;

async function unlessMissing<T>(reading: Promise<T>, path: string): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new HoldersUnknown(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Start times are told in hundredths of a second, and clocks are set: a file this little older than the process may still be its own. */
const CLOCK_SLACK_MS = 2000;

/** It was written before the process that has the number now began: a kill tore it, and its writer is gone. */
async function isLeftBehind(path: string, pid: number): Promise<boolean> {
  const [written, start] = [(await unlessMissing(stat(path), path))?.mtimeMs, identify(pid)?.start];
  if (written === undefined || start === undefined) return true;
  const began = HAS_PROC ? Date.now() - (uptime() - Number(start) / 100) * 1000 : Date.parse(start);
  return written < began - CLOCK_SLACK_MS;
}

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Adapter, Holder } from '../agents/adapter.ts';
import { conversationOf } from '../domain/session/driver.ts';
import { identify } from '../host/identity.ts';
import { createProcessScan, type Process } from '../host/processes.ts';
import type { RunId } from '../protocol/ids.ts';
import type { SessionBox } from './session-box.ts';
import type { World } from './world.ts';

type Env = Readonly<Record<string, string>>;

export const scanProcesses = createProcessScan();

/** Programs besides us that hold conversations of this agent now. What a dead process left behind does not count. */
export async function foreignHolders(world: World, adapter: Adapter, env: Env): Promise<readonly Holder[]> {
  const { registry } = adapter;
  if (registry === undefined) return [];
  const folder = registry.folder(env);
  const names = await readdir(folder).catch(() => []);
  const read = await Promise.all(names.map(async (name) => registry.read(name, await readFile(join(folder, name), 'utf8').catch(() => ''))));
  const ours = new Set([...world.boxes.values()].map((box) => box.run?.pid));
  const living = read.filter((holder) => holder !== undefined).filter((holder) => !ours.has(holder.pid) && isThere(holder));
  if (living.length === 0) return [];
  const processes = new Map((await scanProcesses()).map((one) => [one.pid, one]));
  return living.filter((holder) => conversationOfRun(world, processes.get(holder.pid)) !== holder.agentSessionId);
}

const isThere = ({ pid, start }: Holder): boolean => identify(pid)?.start === start;

/** What an agent's tool starts carries the mark too; but only the run's own conversation is ours through it. */
function conversationOfRun(world: World, found: Process | undefined): string | null | undefined {
  const row = found?.run === undefined ? undefined : world.deps.journal.run(found.run as RunId);
  return row === undefined ? undefined : world.boxes.get(row.session)?.state.agentSessionId;
}

/** A process of ours carries the mark of a run that the journal knows. */
export const isOurs = (world: World, found: Process | undefined): boolean =>
  found?.run !== undefined && world.deps.journal.run(found.run as RunId) !== undefined;

/** The program that holds the conversation of this session, if there is one. */
export async function foreignHolder(box: SessionBox, agentSessionId = conversationOf(box.state)): Promise<Holder | undefined> {
  if (agentSessionId === null || box.adapter.registry === undefined) return undefined;
  const holders = await foreignHolders(box.world, box.adapter, await envOf(box));
  return holders.find((holder) => holder.agentSessionId === agentSessionId);
}

/** Another session of ours whose process writes this conversation now. */
export const ourHolder = (world: World, agentSessionId: string, not?: SessionBox): SessionBox | undefined =>
  [...world.boxes.values()].find((box) => box !== not && box.state.run.phase !== 'none' && box.state.agentSessionId === agentSessionId);

/** The environment that decides where the agent's files of this session lie. */
export async function envOf(box: SessionBox): Promise<Env> {
  const { deps } = box.world;
  const hasOwn = Object.keys(box.state.born?.options.env ?? {}).length > 0;
  return hasOwn ? { ...deps.env, ...(await deps.secrets.get(box.state.id)) } : deps.env;
}

export const driverOf = ({ pid, since, what }: Holder) => ({ pid, ...(since !== undefined && { since }), ...(what !== undefined && { what }) });

/** Another program holds the conversation that was to be gone on with. */
export class HeldElsewhere extends Error {
  override readonly name = 'HeldElsewhere';
  constructor(readonly holder: Holder) {
    super(`Process ${holder.pid} holds the conversation`);
  }
}

import type { Adapter, Holder } from '../../agents/adapter.ts';
import { conversationOf } from '../../domain/session/driver.ts';
import { createProcessScan, type Process } from '../../host/processes.ts';
import { until } from '../../host/until.ts';
import type { RunId } from '../../protocol/ids.ts';
import type { World } from '../engine-context.ts';
import type { SessionBox } from '../loop/session-actor.ts';
import { HoldersUnknown, isThere, readRegistry } from './read-registry.ts';

type Env = Readonly<Record<string, string>>;

export const scanProcesses = createProcessScan();

/** Programs besides us that hold conversations of this agent now. What a dead process left behind does not count. Throws `HoldersUnknown` when it cannot be told. */
export async function foreignHolders(world: World, adapter: Adapter, env: Env): Promise<readonly Holder[]> {
  const { registry } = adapter;
  if (registry === undefined) return [];
  const living = await readRegistry(registry, registry.folder(env), (pid) => isRunOf(world, pid));
  if (living.length === 0) return [];
  const processes = new Map((await scanProcesses()).map((one) => [one.pid, one]));
  return living.filter((holder) => conversationOfRun(world, processes.get(holder.pid)) !== holder.agentSessionId);
}

/** It still runs, and is no process that we have begun since it was looked for. */
export const stillHolds = (world: World, holder: Holder): boolean => isThere(holder) && !isRunOf(world, holder.pid);

const isRunOf = (world: World, pid: number): boolean => [...world.boxes.values()].some((box) => box.run?.pid === pid);

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

/** How often it is looked again for what could not be told. */
const LOOK_AGAIN_MS = 1000;

/** As `foreignHolder`; but while it cannot be told it is looked again, and people are told why nothing happens, until nobody wants to know any more. */
export async function holderWhenKnown(box: SessionBox, agentSessionId: string | null, isOff: () => boolean): Promise<Holder | 'off' | undefined> {
  for (let isTold = false; ; isTold = true) {
    try {
      return await foreignHolder(box, agentSessionId);
    } catch (error) {
      if (!(error instanceof HoldersUnknown)) throw error;
      if (!isTold && !isOff()) tellUnknown(box, error);
      if (await until(isOff, LOOK_AGAIN_MS)) return 'off';
    }
  }
}

function tellUnknown(box: SessionBox, error: HoldersUnknown): void {
  box.world.deps.log.warn({ error, session: box.state.id }, 'a process is not begun before it is known who holds its conversation');
  const text = `It cannot be told whether another program holds this conversation (${error.message}). Nothing is begun before it can; it is looked again all the time.`;
  box.note((draft) => draft.emit({ type: 'notice.shown', level: 'warning', text }));
}

/** Another session of ours whose process writes this conversation now. */
export const ourHolder = (world: World, agentSessionId: string, not?: SessionBox): SessionBox | undefined =>
  [...world.boxes.values()].find((box) => box !== not && box.state.run.phase !== 'none' && box.state.agentSessionId === agentSessionId);

/** The environment that decides where the agent's files of this session lie. */
export async function envOf(box: SessionBox): Promise<Env> {
  const { deps } = box.world;
  const hasOwn = Object.keys(box.state.born?.options.env ?? {}).length > 0;
  const env = deps.envFor(box.adapter.id);
  return hasOwn ? { ...env, ...(await deps.secrets.get(box.state.id)) } : env;
}

export const driverOf = ({ pid, since, what }: Holder) => ({ pid, ...(since !== undefined && { since }), ...(what !== undefined && { what }) });

/** Another program holds the conversation that was to be gone on with. */
export class HeldElsewhere extends Error {
  override readonly name = 'HeldElsewhere';
  constructor(readonly holder: Holder) {
    super(`Process ${holder.pid} holds the conversation`);
  }
}

/** The run was ended while it was not known yet whether it may begin. */
export class CalledOff extends Error {
  override readonly name = 'CalledOff';
}

import type { Adapter, Holder } from '../../agents/adapter.ts';
import { conversationOf } from '../../domain/session/driver.ts';
import { createProcessScan, type Process } from '../../host/processes.ts';
import { until } from '../../host/until.ts';
import type { RunId } from '../../protocol/ids.ts';
import type { EngineContext } from '../engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { HoldersUnknown, isThere, readRegistry } from './read-registry.ts';

type Env = Readonly<Record<string, string>>;

export const scanProcesses = createProcessScan();

/** Programs besides us that hold conversations of this agent now. What a dead process left behind does not count. Throws `HoldersUnknown` when it cannot be told. */
export async function externalHolders(context: EngineContext, adapter: Adapter, env: Env): Promise<readonly Holder[]> {
  const { registry } = adapter;
  if (registry === undefined) return [];
  const living = await readRegistry(registry, registry.folder(env), (pid) => isRunOf(context, pid));
  if (living.length === 0) return [];
  const processes = new Map((await scanProcesses()).map((one) => [one.pid, one]));
  return living.filter((holder) => conversationOfRun(context, processes.get(holder.pid)) !== holder.agentSessionId);
}

/** It still runs, and is no process that we have begun since it was looked for. */
export const stillHolds = (context: EngineContext, holder: Holder): boolean => isThere(holder) && !isRunOf(context, holder.pid);

const isRunOf = (context: EngineContext, pid: number): boolean => [...context.sessions.values()].some((session) => session.run?.pid === pid);

/** What an agent's tool starts carries the mark too; but only the run's own conversation is ours through it. */
function conversationOfRun(context: EngineContext, found: Process | undefined): string | null | undefined {
  const row = found?.run === undefined ? undefined : context.deps.journal.run(found.run as RunId);
  return row === undefined ? undefined : context.sessions.get(row.session)?.state.agentSessionId;
}

/** A process of ours carries the mark of a run that the journal knows. */
export const isOurs = (context: EngineContext, found: Process | undefined): boolean =>
  found?.run !== undefined && context.deps.journal.run(found.run as RunId) !== undefined;

/** The program that holds the conversation of this session, if there is one. */
export async function externalHolder(session: SessionActor, agentSessionId = conversationOf(session.state)): Promise<Holder | undefined> {
  if (agentSessionId === null || session.adapter.registry === undefined) return undefined;
  const holders = await externalHolders(session.context, session.adapter, await envOf(session));
  return holders.find((holder) => holder.agentSessionId === agentSessionId);
}

/** How often it is looked again for what could not be told. */
const LOOK_AGAIN_MS = 1000;

/** As `externalHolder`; but while it cannot be told it is looked again, and people are told why nothing happens, until nobody wants to know any more. */
export async function holderWhenKnown(session: SessionActor, agentSessionId: string | null, isOff: () => boolean): Promise<Holder | 'off' | undefined> {
  for (let isReported = false; ; isReported = true) {
    try {
      return await externalHolder(session, agentSessionId);
    } catch (error) {
      if (!(error instanceof HoldersUnknown)) throw error;
      if (!isReported && !isOff()) reportUnknown(session, error);
      if (await until(isOff, LOOK_AGAIN_MS)) return 'off';
    }
  }
}

function reportUnknown(session: SessionActor, error: HoldersUnknown): void {
  session.context.deps.log.warn({ error, session: session.state.id }, 'a process is not begun before it is known who holds its conversation');
  const text = `Signalbox can't tell whether another program has this conversation open (${error.message}). The agent starts as soon as this is known.`;
  session.note((draft) => draft.emit({ type: 'notice.shown', level: 'warning', text }));
}

/** Another session of ours whose process writes this conversation now. */
export const sessionWriting = (context: EngineContext, agentSessionId: string, not?: SessionActor): SessionActor | undefined =>
  [...context.sessions.values()].find((session) => session !== not && session.state.run.phase !== 'none' && session.state.agentSessionId === agentSessionId);

/** The environment that decides where the agent's files of this session lie. */
export async function envOf(session: SessionActor): Promise<Env> {
  const { deps } = session.context;
  const hasOwn = Object.keys(session.state.born?.options.env ?? {}).length > 0;
  const env = deps.envFor(session.adapter.id);
  return hasOwn ? { ...env, ...(await deps.secrets.get(session.state.id)) } : env;
}

export const driverOf = ({ pid, since, what }: Holder) => ({ pid, ...(since !== undefined && { since }), ...(what !== undefined && { what }) });

/** Another program holds the conversation that was to be gone on with. */
export class OpenInOtherProgram extends Error {
  override readonly name = 'OpenInOtherProgram';
  constructor(readonly holder: Holder) {
    super(`Process ${holder.pid} holds the conversation`);
  }
}

/** The run was ended while it was not known yet whether it may begin. */
export class LaunchCancelled extends Error {
  override readonly name = 'LaunchCancelled';
}

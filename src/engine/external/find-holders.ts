import type { Adapter, Holder } from '../../agents/port/adapter.ts';
import { conversationOf } from '../../domain/session/driver.ts';
import { createProcessScan, type Process } from '../../host/processes.ts';
import { until } from '../../host/tasks/until.ts';
import type { RunId } from '../../protocol/ids.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { HoldersUnknown, isRunning, readRegistry } from './read-registry.ts';

type Env = Readonly<Record<string, string>>;

export const scanProcesses = createProcessScan();

/** Other programs that have conversations of this agent open now. Entries of dead processes don't count. Throws `HoldersUnknown` when it can't be determined. */
export async function externalHolders(context: EngineContext, adapter: Adapter, env: Env): Promise<readonly Holder[]> {
  const { registry } = adapter;
  if (registry === undefined) return [];
  const holders = await readRegistry(registry, registry.folder(env), (pid) => isRunOf(context, pid));
  if (holders.length === 0) return [];
  const processes = new Map((await scanProcesses()).map((one) => [one.pid, one]));
  return holders.filter((holder) => conversationOfRun(context, processes.get(holder.pid)) !== holder.agentSessionId);
}

/** Whether it still runs and is not a process that we have started since the registry was read. */
export const stillHolds = (context: EngineContext, holder: Holder): boolean => isRunning(holder) && !isRunOf(context, holder.pid);

const isRunOf = (context: EngineContext, pid: number): boolean => [...context.sessions.values()].some((session) => session.run?.pid === pid);

/** Processes started by an agent's tools carry the mark too, but only the run's own conversation is ours. */
function conversationOfRun(context: EngineContext, found: Process | undefined): string | null | undefined {
  const row = found?.run === undefined ? undefined : context.deps.journal.run(found.run as RunId);
  return row === undefined ? undefined : context.sessions.get(row.session)?.state.agentSessionId;
}

/** Our processes carry the mark of a run that the journal knows. */
export const isOurs = (context: EngineContext, found: Process | undefined): boolean =>
  found?.run !== undefined && context.deps.journal.run(found.run as RunId) !== undefined;

/** The other program that has this session's conversation open, if any. */
export async function externalHolder(session: SessionActor, agentSessionId = conversationOf(session.state)): Promise<Holder | undefined> {
  if (agentSessionId === null || session.adapter.registry === undefined) return undefined;
  const holders = await externalHolders(session.context, session.adapter, await envOf(session));
  return holders.find((holder) => holder.agentSessionId === agentSessionId);
}

const LOOK_AGAIN_MS = 1000;

/** Like `externalHolder`, but while the holder can't be determined it posts a notice once and retries, until `isCancelled`. */
export async function waitForHolder(session: SessionActor, agentSessionId: string | null, isCancelled: () => boolean): Promise<Holder | 'off' | undefined> {
  for (let isReported = false; ; isReported = true) {
    try {
      return await externalHolder(session, agentSessionId);
    } catch (error) {
      if (!(error instanceof HoldersUnknown)) throw error;
      if (!isReported && !isCancelled()) reportUnknown(session, error);
      if (await until(isCancelled, LOOK_AGAIN_MS)) return 'off';
    }
  }
}

function reportUnknown(session: SessionActor, error: HoldersUnknown): void {
  session.context.deps.log.warn({ error, session: session.state.id }, 'waiting to learn which program has the conversation open before the agent is started');
  const text = `Signalbox can't tell whether another program has this conversation open (${error.message}). The agent starts as soon as this is known.`;
  session.note((draft) => draft.emit({ type: 'notice.shown', level: 'warning', text }));
}

/** Another one of our sessions whose process writes to this conversation now. */
export const sessionWriting = (context: EngineContext, agentSessionId: string, not?: SessionActor): SessionActor | undefined =>
  [...context.sessions.values()].find((session) => session !== not && session.state.run.phase !== 'none' && session.state.agentSessionId === agentSessionId);

/** The environment that decides where the agent stores this session's files. */
export async function envOf(session: SessionActor): Promise<Env> {
  const { deps } = session.context;
  const hasOwn = Object.keys(session.state.born?.options.env ?? {}).length > 0;
  const env = deps.envFor(session.adapter.id);
  return hasOwn ? { ...env, ...(await deps.secrets.get(session.state.id)) } : env;
}

export const driverOf = ({ pid, since, what }: Holder) => ({ pid, ...(since !== undefined && { since }), ...(what !== undefined && { what }) });

/** Another program has the conversation open that a run was about to resume. */
export class OpenInOtherProgram extends Error {
  override readonly name = 'OpenInOtherProgram';
  constructor(readonly holder: Holder) {
    super(`Process ${holder.pid} has the conversation open`);
  }
}

/** The run was cancelled before it was known whether it can start. */
export class LaunchCancelled extends Error {
  override readonly name = 'LaunchCancelled';
}

import type { Adapter, PastRecord } from '../../agents/port/adapter.ts';
import { bounded, closed, type Inherited } from '../../domain/session/inherit.ts';
import { forkTitle, titleFrom } from '../../domain/session/summary.ts';
import type { ContinueFrom, Refusal } from '../../protocol/command.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { KeptObservation } from '../../protocol/observation.ts';
import { driverOf, externalHolders } from '../external/find-holders.ts';
import { HoldersUnknown } from '../external/read-registry.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import { prepareObservation } from '../loop/store-blobs.ts';
import { type Continuation, type Create, otherFolderRefusal } from './continuation.ts';
import { chooseSummary, handoverFrom } from './handover.ts';
import { readRecord } from './read-record.ts';
import { findRecordFor } from './record-files.ts';

type Env = Readonly<Record<string, string>>;

interface Found {
  readonly agentSessionId: string;
  readonly record: PastRecord;
  /** The agent can resume it in the folder of the new session. */
  readonly isHere: boolean;
}

/** Continues a conversation from another program. */
export async function continueFromRecord(
  context: EngineContext,
  command: Create,
  asked: ContinueFrom & { readonly agentSessionId: string },
): Promise<Continuation | Refusal> {
  const adapter = context.deps.adapters.get(command.agent);
  const env = { ...context.deps.envFor(command.agent), ...command.options.env };
  const found = adapter === undefined ? undefined : await find(context, adapter, command, asked.agentSessionId, env);
  if (adapter === undefined || found === undefined) return unknownConversation(asked.agentSessionId);
  if (asked.at !== undefined) {
    return { refused: 'bad-request', message: '"at" needs an event of a listed session. Resume the conversation first, then fork it there.' };
  }
  const inherited = inheritRecord(context, found.record);
  const titled = { ...command, ...(asked.how === 'fork' ? titleOfFork(command, found.record, inherited) : chosenTitle(command, found.record, inherited)) };
  if (asked.how === 'handover') return handOver(adapter, titled, asked, found, inherited);
  if (!found.isHere) return otherFolderRefusal(found.record.cwd);
  return asked.how === 'fork' ? copy(adapter, titled, found, inherited) : resumeRecord(context, adapter, titled, found, inherited, env);
}

function titleOfFork(command: Create, { title }: PastRecord, inherited: readonly Inherited[]): { readonly title?: string } {
  const first = inherited.find((event) => event.type === 'user.message' && event.origin !== 'agent');
  const parent = title ?? (first?.type === 'user.message' ? titleFrom(first.text) : undefined);
  return command.title !== undefined || parent === undefined ? {} : { title: forkTitle(parent).slice(0, LIMITS.titleChars) };
}

/** Keeps a title that somebody chose, but not one made from the first message. */
function chosenTitle(command: Create, { title }: PastRecord, inherited: readonly Inherited[]): { readonly title?: string } {
  const first = inherited.find((event) => event.type === 'user.message' && event.origin !== 'agent');
  const isFirstMessage = title === undefined || (first?.type === 'user.message' && first.text.startsWith(title));
  return command.title !== undefined || isFirstMessage ? {} : { title: title.slice(0, LIMITS.titleChars) };
}

async function find(context: EngineContext, adapter: Adapter, command: Create, agentSessionId: string, env: Env): Promise<Found | undefined> {
  const { past } = adapter;
  if (past === undefined) return undefined;
  const found = await findRecordFor(past, { cwd: command.cwd, env }, agentSessionId);
  const text = found && (await context.deps.readAgentFile(found.file.path));
  return text === undefined ? undefined : { agentSessionId, record: await readRecord(past, text), isHere: found?.isHere === true };
}

export const unknownConversation = (agentSessionId: string): Refusal => ({
  refused: 'cannot-resume',
  message: `The agent has no conversation ${agentSessionId} on this machine. Its file may have been deleted or may belong to another account. Start a new session.`,
});

/** The past as in the agent's record, with its own times. */
function inheritRecord(context: EngineContext, { observations }: PastRecord): readonly Inherited[] {
  const now = context.deps.now().toISOString();
  return bounded(closed(observations.map((one) => shown(prepareObservation(context.deps.journal, one), now))));
}

function shown(observation: KeptObservation, now: string): Inherited {
  const { agentAt, rawImages: _, outputFile: _file, ...body } = observation;
  // Records contain only what a transcript shows.
  return { ...body, at: agentAt ?? now, ...(agentAt === undefined && { atKnown: false }) } as Inherited;
}

function handOver(adapter: Adapter, command: Create, asked: ContinueFrom, found: Found, inherited: readonly Inherited[]): Continuation | Refusal {
  const can = { compaction: found.record.summary, isForkable: found.isHere && adapter.capabilities.fork };
  const summary = chooseSummary(asked.summary, can, inherited);
  return 'refused' in summary ? summary : handoverFrom(command, found.agentSessionId, summary);
}

function copy(adapter: Adapter, command: Create, { agentSessionId, record }: Found, inherited: readonly Inherited[]): Continuation | Refusal {
  if (!adapter.capabilities.fork) return { refused: 'not-supported', message: 'This agent can’t fork a conversation.' };
  const afterMessage = adapter.capabilities.forkAt ? record.messageIds.at(-1) : undefined;
  return { command: { ...command, origin: { kind: 'fork', agentSessionId, ...(afterMessage !== undefined && { afterMessage }) } }, inherited };
}

/** Resumes the conversation itself, unless another program has it open. */
export async function resumeRecord(
  context: EngineContext,
  adapter: Adapter,
  command: Create,
  found: Pick<Found, 'agentSessionId'>,
  inherited: readonly Inherited[],
  env: Env,
): Promise<Continuation | Refusal> {
  const { agentSessionId } = found;
  if (!adapter.capabilities.resume) return { refused: 'not-supported', message: 'This agent can’t resume a conversation. Start a new session.' };
  const holders = await externalHolders(context, adapter, env).catch(unknownHolders);
  if ('refused' in holders) return holders;
  const holder = holders.find((one) => one.agentSessionId === agentSessionId);
  const continuation: Continuation = { command: { ...command, origin: { kind: 'resume', agentSessionId } }, inherited };
  if (holder === undefined) return continuation;
  if (command.takeover === true) return { ...continuation, driver: driverOf(holder) };
  const since = holder.since === undefined ? '' : ` since ${holder.since}`;
  return {
    refused: 'driven-elsewhere',
    message: `${holder.what ?? 'Another program'} (process ${holder.pid}) has had this conversation open${since}. Close it there, or send the same request with "takeover": true to end it and continue here, or with "fork": true to continue in a copy.`,
  };
}

function unknownHolders(error: unknown): Refusal {
  if (!(error instanceof HoldersUnknown)) throw error;
  return {
    refused: 'conflict',
    message: `Signalbox can't tell whether another program has this conversation open: ${error.message}. Try again, or fork it.`,
  };
}

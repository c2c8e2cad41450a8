import type { FoundPastSession } from '../../archive/past-sessions-port.ts';
import { type AdoptedPast, adoptedState } from '../../domain/session/adopt.ts';
import { newSessionState } from '../../domain/session/state.ts';
import { allowedFolder } from '../../folders/allowed-roots.ts';
import { type Command, isRefusal, type Refusal } from '../../protocol/command.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { driverOf, externalHolders } from '../external/find-holders.ts';
import { HoldersUnknown } from '../external/read-registry.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import { ownersOfPrivate } from '../loop/private-sessions.ts';
import { SessionActor } from '../loop/session-actor.ts';
import { type Continuation, type Create, otherFolderRefusal } from './continuation.ts';
import { resumeRecord } from './continue-record.ts';
import { sessionOfConversation } from './list-conversations.ts';

/** A command, and the past session that it adopts. */
export interface Adoption<T extends Command = Command> extends Omit<Continuation, 'command'> {
  readonly command: T;
}

/** Adopts the past session that a command is about. A command that only adds a note starts no process, so it doesn't need a process to be possible. */
export async function adoptPast(context: EngineContext, command: Exclude<Command, Create>): Promise<Adoption | Refusal> {
  const found = await context.deps.past?.find(command.sessionId);
  if (found === undefined) return { command };
  const own = sessionOfConversation(context, found.agent, found.agentSessionId);
  if (own !== undefined) return { refused: 'conflict', message: `Session ${own} already has this conversation. Open that session.` };
  const refusal = isUnread(found) ? UNREAD : await refusedCommand(context, found, command);
  if (refusal !== undefined) return refusal;
  const driver = await driverNow(context, found);
  return { command, past: adoptedPastOf(found), closed: ownersOfPrivate(context, found.agentSessionId).length > 0, ...(driver !== undefined && { driver }) };
}

/** A past session as if it were adopted, so that another session can continue from it. It is not changed. */
export async function previewAdopted(context: EngineContext, id: SessionId): Promise<SessionActor | undefined> {
  const found = await context.deps.past?.find(id);
  if (found === undefined) return undefined;
  const past = adoptedPastOf(found);
  const session = newSession(context, id, past);
  return new SessionActor(context, adoptedState(session.state, past));
}

/** A session that doesn't exist yet: it does once its first decision is stored. */
export function newSession(context: EngineContext, id: SessionId, past: AdoptedPast | undefined): SessionActor {
  const state = newSessionState(id);
  return past === undefined ? new SessionActor(context, state) : new SessionActor(context, { ...state, seq: past.base }, past.base, past.agent);
}

/** Adopts the conversation that a new session should continue, under the id it already has. */
export async function adoptRequested(context: EngineContext, command: Create, found: FoundPastSession): Promise<Continuation | Refusal> {
  if (found.cwd !== command.cwd) return otherFolderRefusal(found.cwd);
  const refusal = isUnread(found) ? UNREAD : await refusedLaunch(context, found);
  const adapter = context.deps.adapters.get(found.agent);
  if (refusal !== undefined || adapter === undefined) return refusal ?? onlyRead(found.agent);
  const past = adoptedPastOf(found);
  const titled = { ...command, sessionId: found.id, ...(command.title === undefined && past.title !== undefined && { title: past.title }) };
  const continuation = await resumeRecord(context, adapter, titled, found, [], context.deps.envFor(adapter.id));
  return isRefusal(continuation) ? continuation : { ...continuation, past };
}

const STARTS_A_PROCESS: ReadonlySet<string> = new Set(['input.send', 'session.wake', 'session.takeover', 'continuation.schedule', 'files.rewind']);

/** The commands that work for an agent whose sessions this version can only read. */
const NEEDS_NO_AGENT: ReadonlySet<string> = new Set(['session.describe', 'item.mark', 'session.stop', 'session.sleep', 'session.delete']);

async function refusedCommand(
  context: EngineContext,
  found: Pick<FoundPastSession, 'agent' | 'cwd' | 'gone'>,
  { type }: Command,
): Promise<Refusal | undefined> {
  if (!NEEDS_NO_AGENT.has(type) && !context.deps.adapters.has(found.agent)) return onlyRead(found.agent);
  return STARTS_A_PROCESS.has(type) ? refusedLaunch(context, found) : undefined;
}

/** Why no process can resume a conversation from another program. Its folder, for example, was never checked against the allowed roots. */
export async function refusedLaunch(context: EngineContext, found: Pick<FoundPastSession, 'agent' | 'cwd' | 'gone'>): Promise<Refusal | undefined> {
  const adapter = context.deps.adapters.get(found.agent);
  if (adapter === undefined) return onlyRead(found.agent);
  if (!adapter.capabilities.resume) return { refused: 'not-supported', message: 'This agent can’t resume a conversation. Start a new session.' };
  if (found.gone === true) return RECORD_GONE;
  const cwd = await allowedFolder(found.cwd ?? '', context.deps.settings);
  if (typeof cwd !== 'string') return cwd;
  const located = await context.deps.locator.find(adapter);
  return located.available ? undefined : { refused: 'agent-unavailable', message: located.problem };
}

/** The same for a session that was adopted earlier, perhaps only to add a note. */
export async function refusedContinuation(context: EngineContext, command: Command): Promise<Refusal | undefined> {
  const { base, born, run } = context.sessions.get(command.sessionId)?.state ?? {};
  if (base === undefined || base === 0 || !born || run?.phase !== 'none') return undefined;
  return refusedCommand(context, born, command);
}

const onlyRead = (agent: AgentId): Refusal => ({
  refused: 'agent-unavailable',
  message: `This version of Signalbox cannot run ${agent}: it can only show the transcript. Your notes are saved.`,
});

/** An adopted session starts after the seqs of its record. Without any, it would look like a session that started here. */
const isUnread = ({ lastSeq }: FoundPastSession): boolean => lastSeq === 0;

const UNREAD: Refusal = { refused: 'conflict', message: 'This conversation hasn’t been read yet. Try again in a moment.' };

const RECORD_GONE: Refusal = {
  refused: 'cannot-resume',
  message: 'The agent’s own file for this conversation is gone, so it can’t be resumed. Restore it from the saved copy, or start a new session with a summary.',
};

const adoptedPastOf = ({ lastSeq, agent, agentSessionId, cwd, title }: FoundPastSession): AdoptedPast => ({
  base: lastSeq,
  agent,
  agentSessionId,
  cwd: cwd ?? '',
  ...(title !== undefined && { title: title.slice(0, LIMITS.titleChars) }),
});

/** Undefined while the holders are unknown: starting a process reports it then. */
async function driverNow(context: EngineContext, { agent, agentSessionId }: FoundPastSession) {
  const adapter = context.deps.adapters.get(agent);
  if (adapter === undefined) return undefined;
  try {
    const holder = (await externalHolders(context, adapter, context.deps.envFor(adapter.id))).find((one) => one.agentSessionId === agentSessionId);
    return holder && driverOf(holder);
  } catch (error) {
    if (error instanceof HoldersUnknown) return undefined;
    throw error;
  }
}

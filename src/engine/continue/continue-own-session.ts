import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentPast, PastRecord } from '../../agents/port/adapter.ts';
import { type ConversationHistory, conversationUpTo, type Message } from '../../domain/session/conversation.ts';
import { inheritFrom } from '../../domain/session/inherit.ts';
import { forkTitle, ownTitle } from '../../domain/session/summary.ts';
import type { ContinueFrom, Refusal } from '../../protocol/command.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { capabilitiesOf } from '../loop/capabilities.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { recordStamp, recordText } from './agent-record.ts';
import type { Continuation, Create } from './continuation.ts';
import { chooseSummary, compactionIn, handoverFrom } from './handover.ts';
import { type EventsUpTo, eventsUpTo, isAtEnd } from './past-events.ts';
import { readRecord } from './read-record.ts';

/** Continues one of our sessions, from its end or after one of its events. */
export async function continueFromSession(session: SessionActor, command: Create, asked: ContinueFrom): Promise<Continuation | Refusal> {
  const at = Math.min(asked.at ?? session.state.seq, session.state.seq);
  const branch = asked.at === undefined || at > session.state.base ? undefined : await session.context.deps.past?.branchOf(session.state.id, at);
  const upTo = await eventsUpTo(session, at, branch);
  const history = conversationUpTo(upTo.events, session.state.base > 0 ? session.state.minds[0]?.id : undefined);
  const last = history?.messages.at(-1);
  if (history === undefined || last === undefined) return { refused: 'cannot-resume', message: 'There are no messages in this session up to that point.' };
  const parent = { sessionId: session.state.id, seq: at };
  if (asked.how === 'handover') return handOver(session, { ...command, parent }, asked, upTo, history);
  const atEnd = capabilitiesOf(session).forkAt || (branch === undefined && (await isAtEnd(session, at)));
  const refusal = refusalFor(session, asked, atEnd, history);
  if (refusal !== undefined) return refusal;
  const { agentSessionId } = history;
  const title = ownTitle(session.state);
  const titled = asked.how === 'fork' && command.title === undefined && title !== undefined ? { title: forkTitle(title).slice(0, LIMITS.titleChars) } : {};
  const continued = { ...command, ...titled, parent, origin: { kind: asked.how, agentSessionId } as const };
  if (!capabilitiesOf(session).forkAt) return { command: continued, inherited: inheritFrom(upTo.events, { messageSeq: at, isCut: upTo.isCut }) };
  const after = await lastKnown(session, history);
  if (after === undefined) return NOT_WRITTEN;
  return {
    command: { ...continued, origin: { ...continued.origin, afterMessage: after.id } },
    inherited: inheritFrom(upTo.events, { messageSeq: after.seq, isCut: upTo.isCut }),
  };
}

const NOT_WRITTEN: Refusal = {
  refused: 'cannot-resume',
  message: 'The agent has no file of this conversation, so it can’t continue from there. Start a new session with a summary instead.',
};

function refusalFor(session: SessionActor, asked: ContinueFrom, atEnd: boolean, history: ConversationHistory): Refusal | undefined {
  const can = capabilitiesOf(session);
  if (!can[asked.how === 'fork' ? 'fork' : 'resume'])
    return { refused: 'not-supported', message: 'This agent can’t resume a conversation. Start a new session.' };
  if (!atEnd) return { refused: 'not-supported', message: 'This agent can only continue from the end of a conversation.' };
  if (asked.how === 'resume' && session.state.run.phase !== 'none' && session.state.agentSessionId === history.agentSessionId) {
    return { refused: 'conflict', message: `Session ${session.state.id} is running this conversation. Stop it first, or fork it.` };
  }
  return undefined;
}

/** The record lags about 100 ms behind what the agent prints; we wait up to twenty times that for its last message. */
const RECORD_LIMIT_MS = 2000;
const LOOK_AGAIN_MS = 50;

/** The last message that is in the agent's own record: the agent doesn't know what the record lacks. */
async function lastKnown(session: SessionActor, { agentSessionId, messages }: ConversationHistory): Promise<Message | undefined> {
  const { past } = session.adapter;
  const newest = messages.at(-1);
  if (past === undefined || newest === undefined) return newest;
  const deadline = performance.now() + (session.state.run.phase === 'none' ? 0 : RECORD_LIMIT_MS);
  for (let seen: string | undefined; ; await sleep(LOOK_AGAIN_MS)) {
    const isOver = performance.now() >= deadline;
    const stamp = await recordStamp(session, agentSessionId);
    if (stamp === seen && !isOver) continue;
    seen = stamp;
    const text = (await recordText(session, agentSessionId)) ?? '';
    if (isOver || text.includes(newest.id)) return lastIn(past, text, messages);
  }
}

/** Searches from the end. A message that was merged into a running turn is found there, but the agent can continue only from the one before it. */
async function lastIn(past: AgentPast, text: string, messages: readonly Message[]): Promise<Message | undefined> {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const found = new Set<string>();
  let last: Message | undefined;
  for (const { id, canContinue } of past.backwards(text)) {
    found.add(id);
    last = canContinue ? byId.get(id) : undefined;
    if (last !== undefined) break;
  }
  const newest = messages.at(-1)?.id ?? '';
  return found.has(newest) || !text.includes(newest) ? last : lastInFullRecord(past, text, messages);
}

/** Results of parallel tools can be off the path that is followed back, so the full record is read. */
async function lastInFullRecord(past: AgentPast, text: string, messages: readonly Message[]): Promise<Message | undefined> {
  const known = new Set((await readRecord(past, text)).messageIds);
  return messages.findLast((message) => known.has(message.id));
}

async function recordOf(session: SessionActor, agentSessionId: string): Promise<PastRecord | undefined> {
  const text = await recordText(session, agentSessionId);
  const { past } = session.adapter;
  return text === undefined || past === undefined ? undefined : readRecord(past, text);
}

async function handOver(
  session: SessionActor,
  command: Create,
  asked: ContinueFrom,
  { events, isCut }: EventsUpTo,
  history: ConversationHistory,
): Promise<Continuation | Refusal> {
  // A record that is still being written must not count as missing.
  await lastKnown(session, history);
  const record = await recordOf(session, history.agentSessionId);
  const isForkable = capabilitiesOf(session).fork && (await recordText(session, history.agentSessionId)) !== undefined;
  const compaction = compactionIn(events, session.context.deps.journal) ?? record?.summary;
  const inherited = inheritFrom(events, { messageSeq: Number.MAX_SAFE_INTEGER, isCut });
  const summary = chooseSummary(asked.summary, { compaction, isForkable }, inherited);
  return 'refused' in summary ? summary : handoverFrom(command, history.agentSessionId, summary);
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentPast, PastRecord } from '../../agents/adapter.ts';
import { inheritFrom } from '../../domain/session/inherit.ts';
import { type Message, type Spoken, spokenUpTo } from '../../domain/session/spoken.ts';
import type { GoOn, Refusal } from '../../protocol/command.ts';
import { capabilitiesOf } from '../capabilities.ts';
import type { SessionBox } from '../loop/session-actor.ts';
import { memoryStamp, memoryText } from './agent-record.ts';
import type { Create, GoingOn } from './continuation.ts';
import { chooseSummary, compactionIn, handedOver } from './handover.ts';
import { type EventsUpTo, eventsUpTo, isAtEnd } from './past-events.ts';
import { readPast } from './read-record.ts';

/** Goes on from a session of ours, at its end or after one of its events. */
export async function goOnFromSession(box: SessionBox, command: Create, asked: GoOn): Promise<GoingOn | Refusal> {
  const at = Math.min(asked.at ?? box.state.seq, box.state.seq);
  const way = asked.at === undefined || at > box.state.base ? undefined : await box.world.deps.past?.wayOf(box.state.id, at);
  const upTo = await eventsUpTo(box, at, way);
  const spoken = spokenUpTo(upTo.events, box.state.base > 0 ? box.state.minds[0]?.id : undefined);
  const last = spoken?.messages.at(-1);
  if (spoken === undefined || last === undefined) return { refused: 'cannot-resume', message: 'Nothing has been said in this session up to there.' };
  const parent = { sessionId: box.state.id, seq: at };
  if (asked.how === 'handover') return handOver(box, { ...command, parent }, asked, upTo, spoken);
  const atEnd = capabilitiesOf(box).forkAt || (way === undefined && (await isAtEnd(box, at)));
  const refusal = notPossible(box, asked, atEnd, spoken);
  if (refusal !== undefined) return refusal;
  const { agentSessionId } = spoken;
  const going = { ...command, parent, origin: { kind: asked.how, agentSessionId } as const };
  if (!capabilitiesOf(box).forkAt) return { command: going, inherited: inheritFrom(upTo.events, { messageSeq: at, isCut: upTo.isCut }) };
  const after = await lastKnown(box, spoken);
  if (after === undefined) return NOT_WRITTEN;
  return {
    command: { ...going, origin: { ...going.origin, afterMessage: after.id } },
    inherited: inheritFrom(upTo.events, { messageSeq: after.seq, isCut: upTo.isCut }),
  };
}

const NOT_WRITTEN: Refusal = {
  refused: 'cannot-resume',
  message: 'The agent has nothing of this on disk, so it cannot go on from there. A handover begins a fresh session with a summary.',
};

function notPossible(box: SessionBox, asked: GoOn, atEnd: boolean, spoken: Spoken): Refusal | undefined {
  const can = capabilitiesOf(box);
  if (!can[asked.how === 'fork' ? 'fork' : 'resume']) return { refused: 'not-supported', message: 'This agent cannot go on with a conversation.' };
  if (!atEnd) return { refused: 'not-supported', message: 'This agent can go on only from the end of a conversation.' };
  if (asked.how === 'resume' && box.state.run.phase !== 'none' && box.state.agentSessionId === spoken.agentSessionId) {
    return { refused: 'conflict', message: `Session ${box.state.id} goes on with this conversation now. Stop it first, or ask for a fork.` };
  }
  return undefined;
}

/** The record is written about 100 ms behind what the agent prints; twenty times that is waited for its last message. */
const RECORD_LIMIT_MS = 2000;
const LOOK_AGAIN_MS = 50;

/** The last message that the agent's own record has: what it lacks, the agent does not know. */
async function lastKnown(box: SessionBox, { agentSessionId, messages }: Spoken): Promise<Message | undefined> {
  const { past } = box.adapter;
  const newest = messages.at(-1);
  if (past === undefined || newest === undefined) return newest;
  const deadline = performance.now() + (box.state.run.phase === 'none' ? 0 : RECORD_LIMIT_MS);
  for (let seen: string | undefined; ; await sleep(LOOK_AGAIN_MS)) {
    const isOver = performance.now() >= deadline;
    const stamp = await memoryStamp(box, agentSessionId);
    if (stamp === seen && !isOver) continue;
    seen = stamp;
    const text = (await memoryText(box, agentSessionId)) ?? '';
    if (isOver || text.includes(newest.id)) return lastIn(past, text, messages);
  }
}

/** Looked for from the end. A message that was folded into a turn is met there, but the agent goes on only from the one before it. */
async function lastIn(past: AgentPast, text: string, messages: readonly Message[]): Promise<Message | undefined> {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const met = new Set<string>();
  let last: Message | undefined;
  for (const { id, canGoOn } of past.backwards(text)) {
    met.add(id);
    last = canGoOn ? byId.get(id) : undefined;
    if (last !== undefined) break;
  }
  const newest = messages.at(-1)?.id ?? '';
  return met.has(newest) || !text.includes(newest) ? last : besideTheWay(past, text, messages);
}

/** Results of tools that ran side by side may hang beside the way back: the whole record tells. */
async function besideTheWay(past: AgentPast, text: string, messages: readonly Message[]): Promise<Message | undefined> {
  const known = new Set((await readPast(past, text)).messageIds);
  return messages.findLast((message) => known.has(message.id));
}

async function recordOf(box: SessionBox, agentSessionId: string): Promise<PastRecord | undefined> {
  const text = await memoryText(box, agentSessionId);
  const { past } = box.adapter;
  return text === undefined || past === undefined ? undefined : readPast(past, text);
}

async function handOver(box: SessionBox, command: Create, asked: GoOn, { events, isCut }: EventsUpTo, spoken: Spoken): Promise<GoingOn | Refusal> {
  // A record that is just being written is not a missing one.
  await lastKnown(box, spoken);
  const record = await recordOf(box, spoken.agentSessionId);
  const isForkable = capabilitiesOf(box).fork && (await memoryText(box, spoken.agentSessionId)) !== undefined;
  const compaction = compactionIn(events, box.world.deps.journal) ?? record?.summary;
  const inherited = inheritFrom(events, { messageSeq: Number.MAX_SAFE_INTEGER, isCut });
  const summary = chooseSummary(asked.summary, { compaction, isForkable }, inherited);
  return 'refused' in summary ? summary : handedOver(command, spoken.agentSessionId, summary);
}

import type { PastRecord } from '../agents/adapter.ts';
import { inheritFrom, isMessage } from '../domain/session/inherit.ts';
import { type Message, type Spoken, spokenUpTo } from '../domain/session/spoken.ts';
import type { GoOn, Refusal } from '../protocol/command.ts';
import type { Event } from '../protocol/event.ts';
import type { Create, GoingOn } from './going-on.ts';
import { chooseSummary, compactionIn, handedOver } from './handover.ts';
import { memoryText } from './memory.ts';
import type { SessionBox } from './session-box.ts';

/** Goes on from a session of ours, at its end or after one of its events. */
export async function goOnFromSession(box: SessionBox, command: Create, asked: GoOn): Promise<GoingOn | Refusal> {
  const at = Math.min(asked.at ?? box.state.seq, box.state.seq);
  const events = eventsUpTo(box, at);
  const spoken = spokenUpTo(events);
  const last = spoken?.messages.at(-1);
  if (spoken === undefined || last === undefined) return { refused: 'cannot-resume', message: 'Nothing has been said in this session up to there.' };
  const parent = { sessionId: box.state.id, seq: at };
  if (asked.how === 'handover') return handOver(box, { ...command, parent }, asked, events, spoken);
  const refusal = notPossible(box, asked, at, spoken);
  if (refusal !== undefined) return refusal;
  const { agentSessionId } = spoken;
  const going = { ...command, parent, origin: { kind: asked.how, agentSessionId } as const };
  if (!box.adapter.capabilities.forkAt) return { command: going, inherited: inheritFrom(events, { messageSeq: at }) };
  const after = await lastKnown(box, spoken);
  if (after === undefined) return NOT_WRITTEN;
  return { command: { ...going, origin: { ...going.origin, afterMessage: after.id } }, inherited: inheritFrom(events, { messageSeq: after.seq }) };
}

const NOT_WRITTEN: Refusal = {
  refused: 'cannot-resume',
  message: 'The agent has nothing of this on disk, so it cannot go on from there. A handover begins a fresh session with a summary.',
};

const PAGE = 1000;

function eventsUpTo(box: SessionBox, at: number): readonly Event[] {
  const events: Event[] = [];
  while (events.length < at) {
    const page = box.world.deps.journal.after(box.state.id, events.length, Math.min(PAGE, at - events.length));
    if (page.length === 0) break;
    events.push(...page);
  }
  return events;
}

function notPossible(box: SessionBox, asked: GoOn, at: number, spoken: Spoken): Refusal | undefined {
  const can = box.adapter.capabilities;
  if (!can[asked.how === 'fork' ? 'fork' : 'resume']) return { refused: 'not-supported', message: 'This agent cannot go on with a conversation.' };
  if (!can.forkAt && !isAtEnd(box, at)) return { refused: 'not-supported', message: 'This agent can go on only from the end of a conversation.' };
  if (asked.how === 'resume' && box.state.run.phase !== 'none' && box.state.agentSessionId === spoken.agentSessionId) {
    return { refused: 'conflict', message: `Session ${box.state.id} goes on with this conversation now. Stop it first, or ask for a fork.` };
  }
  return undefined;
}

const isAtEnd = (box: SessionBox, at: number): boolean => eventsUpTo(box, box.state.seq).every((event) => event.seq <= at || !isMessage(event));

/** The record is written about 100 ms behind what the agent prints; ten times that is waited for its last message. */
const RECORD_LIMIT_MS = 2000;
const LOOK_AGAIN_MS = 50;

/** The last message that the agent's own record has: what it lacks, the agent does not know. */
async function lastKnown(box: SessionBox, spoken: Spoken): Promise<Message | undefined> {
  const newest = spoken.messages.at(-1);
  if (box.adapter.past === undefined) return newest;
  const isLive = box.state.run.phase !== 'none';
  for (let leftMs = isLive ? RECORD_LIMIT_MS : 0; ; leftMs -= LOOK_AGAIN_MS) {
    const record = await recordOf(box, spoken.agentSessionId);
    const known = new Set(record?.messageIds);
    if ((newest !== undefined && known.has(newest.id)) || leftMs <= 0) return spoken.messages.findLast((message) => known.has(message.id));
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

async function recordOf(box: SessionBox, agentSessionId: string): Promise<PastRecord | undefined> {
  const text = await memoryText(box, agentSessionId);
  return text === undefined ? undefined : box.adapter.past?.read(text);
}

async function handOver(box: SessionBox, command: Create, asked: GoOn, events: readonly Event[], spoken: Spoken): Promise<GoingOn | Refusal> {
  const record = await recordOf(box, spoken.agentSessionId);
  const isForkable = box.adapter.capabilities.fork && (await memoryText(box, spoken.agentSessionId)) !== undefined;
  const compaction = compactionIn(events, box.world.deps.journal) ?? record?.summary;
  const inherited = inheritFrom(events, { messageSeq: Number.MAX_SAFE_INTEGER });
  const summary = chooseSummary(asked.summary, { compaction, isForkable }, inherited);
  return 'refused' in summary ? summary : handedOver(command, spoken.agentSessionId, summary);
}

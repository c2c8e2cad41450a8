import { byArrival, canSleep, isInLine, longestIdle, makesRoom, mayStart } from '../../domain/queue/line.ts';
import type { LineLimit } from '../../domain/queue/line-text.ts';
import type { SessionState } from '../../domain/session/state.ts';
import { SYSTEM } from '../../protocol/actor.ts';
import type { CommandId, SessionId } from '../../protocol/ids.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { formatMegabytes, isMemoryFull, memoryUsed } from './process-memory.ts';

/** Starts sessions in line while slots are free, and puts the agents that have been idle longest to sleep for the rest. */
export function startWaitingSessions(context: EngineContext): void {
  if (context.closing) return;
  for (const session of lineOf(context)) {
    if (!hasFreeSlot(context, session)) break;
    session.advance('a slot is free');
  }
  makeRoom(context);
  publishPlaces(context);
}

export function hasFreeSlot(context: EngineContext, session: SessionActor): boolean {
  const others = sharingSlots(context).filter((other) => other !== session);
  return !isMemoryFull(context) && mayStart(session.state, others.map(stateOf), context.deps.settings.maxLive);
}

/** The sessions that count against the limit. All of them, and they all share one line. */
const sharingSlots = (context: EngineContext): readonly SessionActor[] => [...context.sessions.values()];
const stateOf = ({ state }: SessionActor): SessionState => state;

/** The place of a session in line, from 1, and what it waits for. */
export function placeInLine(context: EngineContext, session: SessionActor): (LineLimit & { readonly place: number }) | undefined {
  if (!isInLine(session.state)) return undefined;
  const { maxLive, maxMemoryBytes } = context.deps.settings;
  const limit: LineLimit = isMemoryFull(context) ? { of: 'memory', limit: maxMemoryBytes } : { of: 'agents', limit: maxLive };
  return { ...limit, place: lineOf(context).indexOf(session) + 1 };
}

const lineOf = (context: EngineContext): readonly SessionActor[] =>
  sharingSlots(context)
    .filter(({ state }) => isInLine(state))
    .sort((a, b) => byArrival(a.state, b.state));

function makeRoom(context: EngineContext): void {
  for (const { id } of makesRoom(sharingSlots(context).map(stateOf))) putToSleep(context, id);
}

/** Lists show the place in line: everyone behind a session that left it has moved up. */
function publishPlaces(context: EngineContext): void {
  const line = lineOf(context);
  line.forEach((session, at) => {
    if (context.shownPlaces.get(session.state.id) !== at) session.publishSummary();
  });
  context.shownPlaces.clear();
  line.forEach((session, at) => {
    context.shownPlaces.set(session.state.id, at);
  });
}

/** While the agents use too much memory, the longest idle ones go to sleep. A working agent is never stopped for memory. */
export function sleepForMemory(context: EngineContext): void {
  const cap = context.deps.settings.maxMemoryBytes;
  let used = memoryUsed(context);
  if (context.closing || cap === 0) return;
  for (const { id } of longestIdle(sharingSlots(context).map(stateOf))) {
    const session = context.sessions.get(id);
    if (used <= cap) return;
    const text = `Put to sleep: all agents together had ${formatMegabytes(used)} of memory, and may have ${formatMegabytes(cap)}. Your next message wakes it.`;
    used -= session?.run?.rssBytes ?? 0;
    session?.note((draft) => draft.emit({ type: 'notice.shown', level: 'info', text, actor: SYSTEM }));
    putToSleep(context, id);
  }
}

/** Sleep is the only change of a session that idle time alone causes. */
export function sleepIdle(context: EngineContext): void {
  const limitMs = context.deps.settings.idleMinutes * 60_000;
  if (context.closing || limitMs <= 0) return;
  const now = context.deps.now().getTime();
  for (const { state } of context.sessions.values()) {
    if (canSleep(state) && now - Date.parse(state.status.at) >= limitMs) putToSleep(context, state.id);
  }
}

function putToSleep(context: EngineContext, sessionId: SessionId): void {
  const commandId = `sleep:${context.deps.newId()}` as CommandId;
  context.sessions.get(sessionId)?.command({ command: { type: 'session.sleep', commandId, sessionId }, node: context.deps.machine.node }, SYSTEM, '');
}

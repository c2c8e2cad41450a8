import { byArrival, canSleep, isInLine, longestIdle, makesRoom, mayStart } from '../../domain/queue/line.ts';
import type { LineLimit } from '../../domain/queue/line-text.ts';
import type { SessionState } from '../../domain/session/state.ts';
import { SYSTEM } from '../../protocol/actor.ts';
import { type CommandId, isScriptSession, type SessionId } from '../../protocol/ids.ts';
import type { EngineContext } from '../loop/engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { formatMegabytes, isMemoryFull, memoryUsed } from './process-memory.ts';

/** Sessions that share a limit and therefore a line. */
interface SlotKind {
  readonly includes: (session: SessionActor) => boolean;
  readonly slots: (context: EngineContext) => number;
  /** Whether none of them starts while all agents together use more memory than they may. */
  readonly needsMemory: boolean;
}

/** Scripts and long git acts: a setup script never waits for the slot of the session that needs it. */
const SCRIPTS: SlotKind = { includes: ({ state }) => isScriptSession(state.id), slots: ({ deps }) => deps.settings.maxCommands, needsMemory: false };
const AGENTS: SlotKind = { includes: () => true, slots: ({ deps }) => deps.settings.maxLive, needsMemory: true };
/** Each session is of the first kind that includes it. */
const KINDS: readonly SlotKind[] = [SCRIPTS, AGENTS];

const kindOf = (session: SessionActor): SlotKind => KINDS.find((kind) => kind.includes(session)) ?? AGENTS;
const sessionsOf = (context: EngineContext, kind: SlotKind): readonly SessionActor[] =>
  [...context.sessions.values()].filter((session) => kindOf(session) === kind);
const stateOf = ({ state }: SessionActor): SessionState => state;

/** Starts sessions in line while slots are free, and puts the agents that have been idle longest to sleep for the rest. */
export function startWaitingSessions(context: EngineContext): void {
  if (context.closing) return;
  const isLineEmpty = ![...context.sessions.values()].some(({ state }) => isInLine(state));
  if (isLineEmpty && context.shownPlaces.size === 0) return;
  for (const kind of KINDS) startInLine(context, kind);
  publishPlaces(context);
}

function startInLine(context: EngineContext, kind: SlotKind): void {
  for (const session of lineOf(context, kind)) {
    if (!hasFreeSlot(context, session)) break;
    session.advance('a slot is free');
  }
  for (const { id } of makesRoom(sessionsOf(context, kind).map(stateOf))) putToSleep(context, id);
}

/** Whether this session can start a process now. */
export function hasFreeSlot(context: EngineContext, session: SessionActor): boolean {
  const kind = kindOf(session);
  const others = sessionsOf(context, kind).filter((other) => other !== session);
  return !(kind.needsMemory && isMemoryFull(context)) && mayStart(session.state, others.map(stateOf), kind.slots(context));
}

/** The place of a session in line, from 1, and what it waits for. */
export function placeInLine(context: EngineContext, session: SessionActor): (LineLimit & { readonly place: number }) | undefined {
  if (!isInLine(session.state)) return undefined;
  const kind = kindOf(session);
  const isForMemory = kind.needsMemory && isMemoryFull(context);
  const limit: LineLimit = isForMemory ? { of: 'memory', limit: context.deps.settings.maxMemoryBytes } : { of: 'agents', limit: kind.slots(context) };
  return { ...limit, place: lineOf(context, kind).indexOf(session) + 1 };
}

const lineOf = (context: EngineContext, kind: SlotKind): readonly SessionActor[] =>
  sessionsOf(context, kind)
    .filter(({ state }) => isInLine(state))
    .sort((a, b) => byArrival(a.state, b.state));

/** Lists show the place in line: everyone behind a session that left it has moved up. */
function publishPlaces(context: EngineContext): void {
  const before = new Map(context.shownPlaces);
  context.shownPlaces.clear();
  for (const kind of KINDS) {
    for (const [at, session] of lineOf(context, kind).entries()) {
      if (before.get(session.state.id) !== at) session.publishSummary();
      context.shownPlaces.set(session.state.id, at);
    }
  }
}

/** While the agents use too much memory, the longest idle ones go to sleep. A working agent is never stopped for memory. */
export function sleepForMemory(context: EngineContext): void {
  const cap = context.deps.settings.maxMemoryBytes;
  let used = memoryUsed(context);
  if (context.closing || cap === 0) return;
  for (const { id } of longestIdle(sessionsOf(context, AGENTS).map(stateOf))) {
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

import { waitsForSlot } from '../../domain/session/status.ts';
import { SYSTEM } from '../../protocol/actor.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { type EngineContext, hasFreeSlot } from '../loop/engine-context.ts';
import type { SessionActor } from '../loop/session-actor.ts';
import { formatMegabytes, memoryUsed } from './process-memory.ts';

/** Starts sessions that wait for a slot, and puts the longest idle session to sleep for the rest. */
export function startWaitingSessions(context: EngineContext): void {
  if (context.closing) return;
  const waiting = [...context.sessions.values()].filter(isWaiting).sort((a, b) => a.state.status.at.localeCompare(b.state.status.at));
  for (const session of waiting) {
    if (!hasFreeSlot(context)) break;
    session.advance('a place is free');
  }
  const idle = waiting.some(isWaiting) ? longestIdle(context) : undefined;
  if (idle !== undefined) putToSleep(idle);
}

const isWaiting = (session: SessionActor): boolean => waitsForSlot(session.state);

/** Background tasks would be lost. */
const canSleep = ({ state }: SessionActor): boolean =>
  (state.status.status === 'idle' || state.status.status === 'failed') && state.run.phase === 'ready' && state.tasks.length === 0 && state.queue.length === 0;

const longestIdle = (context: EngineContext): SessionActor | undefined => idleLongestFirst(context)[0];

function idleLongestFirst(context: EngineContext): SessionActor[] {
  const idle = [...context.sessions.values()].filter(canSleep);
  return idle.sort((a, b) => a.state.status.at.localeCompare(b.state.status.at));
}

/** While the agents use too much memory, the longest idle ones go to sleep. A working agent is never stopped for memory. */
export function sleepForMemory(context: EngineContext): void {
  const cap = context.deps.settings.maxMemoryBytes;
  let used = memoryUsed(context);
  if (context.closing || cap === 0) return;
  for (const session of idleLongestFirst(context)) {
    if (used <= cap) return;
    const text = `Put to sleep: all agents together had ${formatMegabytes(used)} of memory, and may have ${formatMegabytes(cap)}. Your next message wakes it.`;
    used -= session.run?.rssBytes ?? 0;
    session.note((draft) => draft.emit({ type: 'notice.shown', level: 'info', text, actor: SYSTEM }));
    putToSleep(session);
  }
}

/** Sleep is the only change of a session that idle time alone causes. */
export function sleepIdle(context: EngineContext): void {
  const limitMs = context.deps.settings.idleMinutes * 60_000;
  if (context.closing || limitMs <= 0) return;
  const now = context.deps.now().getTime();
  for (const session of context.sessions.values()) {
    if (canSleep(session) && now - Date.parse(session.state.status.at) >= limitMs) putToSleep(session);
  }
}

function putToSleep(session: SessionActor): void {
  const commandId = `sleep:${session.context.deps.newId()}` as CommandId;
  session.command({ command: { type: 'session.sleep', commandId, sessionId: session.state.id }, node: session.context.deps.machine.node }, SYSTEM, '');
}

import { SYSTEM } from '../../protocol/actor.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { pauseQueue } from '../queue/pause.ts';
import { cancelContinuation, DEFAULT_TEXT } from './continuation.ts';
import type { Draft } from './draft.ts';

/** Between two sessions that continue at the same reset: all at once would run into the next limit at once. */
const APART_MS = 20_000;
/** A limit is not always over at the very second that was announced. */
const AFTER_RESET_MS = 5_000;

/** The first time after the reset that is not too close to those already taken. */
export function staggered(resetsAt: string, now: string, taken: readonly string[]): string {
  const others = taken.map((at) => Date.parse(at));
  let at = Math.max(Date.parse(resetsAt), Date.parse(now)) + AFTER_RESET_MS;
  while (others.some((other) => Math.abs(other - at) < APART_MS)) at += APART_MS;
  return new Date(at).toISOString();
}

/** A turn that the limit cut off continues at its reset, once, if somebody wants that in general. A reset that was cancelled or used is not used again. */
export function scheduleAtReset(draft: Draft): void {
  const { limit, continuation, lastReset, turn } = draft.state;
  if (turn.phase === 'running' || limit?.status !== 'rejected' || limit.resetsAt === undefined || continuation !== null || limit.resetsAt === lastReset) return;
  const resumesAt = draft.now.resumesAt?.(limit.resetsAt);
  if (resumesAt === undefined) return;
  const commandId = `reset:${draft.state.id}:${draft.state.seq}` as CommandId;
  draft.emit({ type: 'continuation.scheduled', commandId, resumesAt, resetsAt: limit.resetsAt, text: DEFAULT_TEXT, actor: SYSTEM });
}

/** The preference was turned off. What a person scheduled stays; what waited for the reset waits for a person now. */
export function unscheduleAtReset(draft: Draft): void {
  const { continuation } = draft.state;
  if (continuation?.resetsAt === undefined) return;
  cancelContinuation(draft, 'resuming automatically was turned off');
  pauseQueue(draft, continuation.commandId, 'request');
}

import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { EventBodyOf } from '../../protocol/event.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { advance } from '../session/advance.ts';
import type { Draft } from '../session/draft.ts';
import { leaveLine } from './line.ts';
import { hasWaiting } from './queue.ts';

/** Somebody who interrupts the agent wants it to stop, not to continue with the next message. The system's own interrupts pause nothing. */
export function pauseAfterInterrupt(draft: Draft, commandId: CommandId): void {
  if (draft.now.actor?.kind === 'person') pauseQueue(draft, commandId, 'interrupt');
}

/** Nothing is delivered from a paused queue, except a message that somebody sends now. An empty queue can't be paused: the next message would be stuck. */
export function pause(draft: Draft, { commandId }: CommandOf<'queue.pause'>): Refusal | undefined {
  if (!hasWaiting(draft.state.queue)) return { refused: 'conflict', message: 'No message is queued, so there is nothing to pause.' };
  pauseQueue(draft, commandId, 'request');
  leaveLine(draft, 'queue.paused');
  return undefined;
}

export function pauseQueue(draft: Draft, commandId: CommandId, cause: EventBodyOf<'queue.paused'>['cause']): void {
  const { paused, queue } = draft.state;
  if (paused === undefined && hasWaiting(queue)) draft.emit({ type: 'queue.paused', commandId, cause });
}

export function resume(draft: Draft, { commandId }: CommandOf<'queue.resume'>): undefined {
  resumeQueue(draft, commandId);
}

/** The queue continues, in order. */
export function resumeQueue(draft: Draft, commandId: CommandId): void {
  if (draft.state.paused === undefined) return;
  draft.emit({ type: 'queue.resumed', commandId });
  advance(draft, 'queue.resume');
}

/** Cancels every message that the agent does not have yet. A paused queue is then empty, and no longer paused. */
export function clear(draft: Draft): undefined {
  for (const { commandId, stage } of draft.state.queue) {
    if (stage.at === 'accepted') draft.emit({ type: 'input.cancelled', commandId, reason: 'cancelled by a person' });
  }
  if (draft.state.queue.length === 0) leaveLine(draft, 'input.cancelled');
}

import { SYSTEM } from '../../protocol/actor.ts';
import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { pauseQueue } from '../queue/pause.ts';
import { advance, waitsForReset } from './advance.ts';
import type { Draft } from './draft.ts';

export const DEFAULT_TEXT = 'The usage limit has been reset. Continue from where you left off.';

/** The session resumes automatically, once, at a stated time. Until then this is visible and can be cancelled. */
export function schedule(draft: Draft, command: CommandOf<'continuation.schedule'>): Refusal | undefined {
  const resumesAt = command.at ?? draft.state.limit?.resetsAt;
  if (resumesAt === undefined) return { refused: 'bad-request', message: 'No limit with a known reset time is active. Set the time with "at".' };
  cancelContinuation(draft, 'another time was chosen');
  draft.emit({ type: 'continuation.scheduled', commandId: command.commandId, resumesAt, text: command.text ?? DEFAULT_TEXT });
  return undefined;
}

export function unschedule(draft: Draft, command: CommandOf<'continuation.cancel'>): Refusal | undefined {
  if (draft.state.continuation === null) return { refused: 'not-found', message: 'Nothing is scheduled.' };
  const heldBack = waitsForReset(draft.state);
  cancelContinuation(draft, 'cancelled by a person');
  // They would fail one after the other.
  if (heldBack) pauseQueue(draft, command.commandId, 'request');
  return undefined;
}

/** Cancels the scheduled continuation, if there is one. */
export function cancelContinuation(draft: Draft, reason: string): void {
  if (draft.state.continuation !== null) draft.emit({ type: 'continuation.ended', outcome: 'cancelled', reason });
}

/** Sends the scheduled message. */
export function continueAsScheduled(draft: Draft, scheduled: CommandId): void {
  const { continuation } = draft.state;
  if (continuation?.commandId !== scheduled) return;
  draft.emit({ type: 'continuation.ended', outcome: 'sent', reason: 'the scheduled time was reached', actor: SYSTEM });
  const commandId = `continuation:${scheduled}` as CommandId;
  const next = draft.state.queue.find(({ stage }) => stage.at === 'accepted')?.commandId;
  draft.emit({ type: 'input.accepted', commandId, text: continuation.text, mode: draft.state.paused === undefined ? 'queue' : 'steer', actor: SYSTEM });
  // It continues what was cut off, so it comes before what was queued since.
  if (next !== undefined) draft.emit({ type: 'input.moved', commandId, before: next, actor: SYSTEM });
  advance(draft, 'continuation.ended');
}

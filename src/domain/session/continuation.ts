import { SYSTEM } from '../../protocol/actor.ts';
import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { CommandId } from '../../protocol/ids.ts';
import { advance } from './advance.ts';
import type { Draft } from './draft.ts';

const DEFAULT_TEXT = 'The usage limit has been reset. Continue from where you left off.';

/** The session resumes automatically, once, at a stated time. Until then this is visible and can be cancelled. */
export function schedule(draft: Draft, command: CommandOf<'continuation.schedule'>): Refusal | undefined {
  const resumesAt = command.at ?? draft.state.limit?.resetsAt;
  if (resumesAt === undefined) return { refused: 'bad-request', message: 'No limit with a known reset time is active. Set the time with "at".' };
  cancelContinuation(draft, 'another time was chosen');
  draft.emit({ type: 'continuation.scheduled', commandId: command.commandId, resumesAt, text: command.text ?? DEFAULT_TEXT });
  return undefined;
}

export function unschedule(draft: Draft): Refusal | undefined {
  if (draft.state.continuation === null) return { refused: 'not-found', message: 'Nothing is scheduled.' };
  cancelContinuation(draft, 'cancelled by a person');
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
  draft.emit({ type: 'input.accepted', commandId, text: continuation.text, mode: draft.state.paused === undefined ? 'queue' : 'steer', actor: SYSTEM });
  advance(draft, 'continuation.ended');
}

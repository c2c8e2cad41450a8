import { SYSTEM } from '../../protocol/actor.ts';
import type { CommandOf, Refusal } from '../../protocol/command.ts';
import type { CommandId } from '../../protocol/ids.ts';
import type { Draft } from './draft.ts';
import { drive } from './drive.ts';

const WORDS = 'The usage limit has been reset. Continue from where you left off.';

/** Once, at a stated time, the session goes on by itself: visible until then, and cancellable. */
export function schedule(draft: Draft, command: CommandOf<'continuation.schedule'>): Refusal | undefined {
  const resumesAt = command.at ?? draft.state.limit?.resetsAt;
  if (resumesAt === undefined) return { refused: 'bad-request', message: 'No limit with a known reset time is in force. Give the time as "at".' };
  giveUp(draft, 'another time was chosen');
  draft.emit({ type: 'continuation.scheduled', commandId: command.commandId, resumesAt, text: command.text ?? WORDS });
  return undefined;
}

export function unschedule(draft: Draft): Refusal | undefined {
  if (draft.state.continuation === null) return { refused: 'not-found', message: 'Nothing is scheduled.' };
  giveUp(draft, 'cancelled by a person');
  return undefined;
}

/** What was scheduled, if anything was, will not be. */
export function giveUp(draft: Draft, reason: string): void {
  if (draft.state.continuation !== null) draft.emit({ type: 'continuation.ended', outcome: 'cancelled', reason });
}

/** The time has come. */
export function goOn(draft: Draft, scheduled: CommandId): void {
  const { continuation } = draft.state;
  if (continuation?.commandId !== scheduled) return;
  draft.emit({ type: 'continuation.ended', outcome: 'sent', reason: 'the time has come', actor: SYSTEM });
  const commandId = `continuation:${scheduled}` as CommandId;
  draft.emit({ type: 'input.accepted', commandId, text: continuation.text, mode: 'queue', actor: SYSTEM });
  drive(draft, 'continuation.ended');
}

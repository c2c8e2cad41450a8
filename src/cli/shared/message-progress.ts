import { isFailedTurn } from '../../domain/transcript/outcomes.ts';
import type { BlobRef, Event } from '../../protocol/event.ts';

/** What became of one message. */
export type MessageOutcome =
  | { readonly kind: 'done' | 'failed' | 'interrupted'; readonly turnId: string; readonly answer: Answer; readonly problem?: string; readonly costUsd?: number }
  | { readonly kind: 'cancelled'; readonly problem: string };

/** What the agent said last, in pieces; a long piece is only a head, and all of it is a blob. */
export type Answer = readonly { readonly text: string; readonly blob?: BlobRef }[];

export interface MessageProgress {
  /** The turn that has the message. */
  readonly turnId?: string;
  readonly messageId?: string;
  readonly answer: Answer;
  readonly outcome?: MessageOutcome;
}

export const NOT_STARTED: MessageProgress = { answer: [] };

/**
 * Follows a message from its acceptance to the end of its turn: its own turn, or one that it joined. A message that an agent never took goes back to the queue,
 * and its turn is then another one.
 */
export function progressOf(progress: MessageProgress, commandId: string, event: Event): MessageProgress {
  if (progress.outcome !== undefined) return progress;
  switch (event.type) {
    case 'turn.started':
      return event.commandId === commandId ? { ...progress, turnId: event.turnId } : progress;
    case 'input.consumed':
      return event.commandId === commandId && event.turnId !== undefined ? { ...progress, turnId: event.turnId } : progress;
    case 'input.returned':
      return event.commandId === commandId ? NOT_STARTED : progress;
    case 'input.cancelled':
      return event.commandId === commandId ? { ...progress, outcome: { kind: 'cancelled', problem: event.reason } } : progress;
    case 'assistant.text':
      return event.turnId !== undefined && event.turnId === progress.turnId && event.parentToolUseId === undefined ? withText(progress, event) : progress;
    case 'turn.completed':
      return event.commandId === commandId || (event.turnId === progress.turnId && event.turnId !== undefined) ? withEnd(progress, event) : progress;
    case 'session.deleted':
      return { ...progress, outcome: { kind: 'cancelled', problem: 'the session was deleted' } };
    default:
      return progress;
  }
}

/** The answer is the agent's last message; what it said between its tools before that is not part of it. */
function withText(progress: MessageProgress, { messageId, text, blobs }: Extract<Event, { type: 'assistant.text' }>): MessageProgress {
  const blob = blobs?.text;
  const before = progress.messageId === messageId ? progress.answer : [];
  return { ...progress, messageId, answer: [...before, { text, ...(blob !== undefined && { blob }) }] };
}

function withEnd(progress: MessageProgress, turn: Extract<Event, { type: 'turn.completed' }>): MessageProgress {
  const kind = isFailedTurn(turn) ? 'failed' : turn.interrupted ? 'interrupted' : 'done';
  const said = progress.answer.length > 0 || turn.result === undefined ? progress.answer : [{ text: turn.result }];
  const [problem] = turn.errors ?? [];
  const outcome = {
    kind,
    turnId: turn.turnId,
    answer: said,
    ...(problem !== undefined && { problem }),
    ...(turn.costUsd !== undefined && { costUsd: turn.costUsd }),
  } as const;
  return { ...progress, outcome };
}

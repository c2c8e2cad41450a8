import type { EventOf } from '../../protocol/event.ts';
import { type Draft, put } from './draft.ts';
import { foldMark } from './fold-mark.ts';

/** A turn that a message began needs no mark: the message is it. One that the agent began by itself does. */
export function foldTurnStarted(draft: Draft, event: EventOf<'turn.started'>): void {
  draft.suggestions = [];
  if (event.cause !== 'input') foldMark(draft, event);
}

export function foldTurnCompleted(draft: Draft, event: EventOf<'turn.completed'>): void {
  dropUnfinished(draft);
  put(draft, { kind: 'turn', key: `turn:${event.turnId}`, seq: event.seq, at: event.at, completed: event });
}

/** What the turn was still writing when it ended never became an item. Subagents may go on in the background. */
function dropUnfinished(draft: Draft): void {
  for (const item of draft.live.values()) {
    if (item.parentToolUseId === undefined) draft.live.delete(item.key);
  }
}

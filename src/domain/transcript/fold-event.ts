import type { Event } from '../../protocol/event.ts';
import type { Draft } from './draft.ts';
import { foldInputEvent } from './fold-input.ts';
import { foldItemMarked } from './fold-item-marked.ts';
import { foldMark, foldUnrecognised } from './fold-mark.ts';
import { foldPermission } from './fold-permission.ts';
import { foldSetting } from './fold-setting.ts';
import { foldText, foldThinking } from './fold-text.ts';
import { foldTask, foldToolCompleted, foldToolStarted } from './fold-tool.ts';
import { foldTurnCompleted, foldTurnStarted } from './fold-turn.ts';

/** One event more. `draft.events` still ends with the event before it. */
export function foldEvent(draft: Draft, event: Event) {
  if (event.itemId !== undefined) settle(draft, event.itemId);
  switch (event.type) {
    case 'input.accepted':
    case 'input.edited':
    case 'input.moved':
    case 'input.steered':
    case 'input.cancelled':
    case 'input.delivered':
    case 'input.consumed':
    case 'input.returned':
    case 'user.message':
    case 'context.forgotten':
      return foldInputEvent(draft, event);
    case 'assistant.text':
      return foldText(draft, event);
    case 'assistant.thinking':
      return foldThinking(draft, event);
    case 'tool.started':
      return foldToolStarted(draft, event);
    case 'tool.completed':
      return foldToolCompleted(draft, event);
    case 'task.updated':
      return foldTask(draft, event);
    case 'permission.requested':
    case 'permission.resolved':
      return foldPermission(draft, event);
    case 'turn.started':
      return foldTurnStarted(draft, event);
    case 'turn.completed':
      return foldTurnCompleted(draft, event);
    case 'suggestion.offered':
      draft.suggestions = [...draft.suggestions.filter((text) => text !== event.text), event.text];
      return;
    case 'unrecognised':
      return foldUnrecognised(draft, event);
    case 'session.exited':
      // Whatever the dead process was still writing will not be finished.
      draft.live.clear();
      return foldMark(draft, event);
    case 'setting.requested':
    case 'setting.refused':
    case 'model.changed':
    case 'mode.changed':
    case 'thinking.changed':
    case 'session.started':
      return foldSetting(draft, event);
    case 'session.created':
    case 'run.opened':
    case 'limit.reported':
    case 'context.compacted':
    case 'hook.ran':
    case 'files.rewound':
    case 'driver.found':
    case 'driver.gone':
    case 'takeover.requested':
    case 'continuation.scheduled':
    case 'continuation.ended':
    case 'handover.ready':
    case 'retry.reported':
    case 'notice.shown':
    case 'output.lost':
      return foldMark(draft, event);
    case 'item.marked':
      return foldItemMarked(draft, event);
    case 'usage.reported':
    case 'run.ready':
    case 'run.ending':
    case 'interrupt.requested':
    case 'rewind.requested':
    case 'rule.created':
    case 'rule.revoked':
    case 'token.added':
    case 'token.revoked':
    case 'conversations.closed':
    case 'session.status':
    case 'meta.changed':
    case 'session.deleted':
      return;
  }
}

/** The whole item has come: what was streamed of it is no longer needed, and a repeat of it will be ignored. */
function settle(draft: Draft, itemId: string): void {
  draft.live.delete(itemId);
  draft.finals.add(itemId);
}

import type { Event, EventOf } from '../../protocol/event.ts';
import { type Draft, toolKey } from './draft.ts';
import { inputKey } from './fold-input.ts';
import { blockKey } from './fold-text.ts';
import type { ItemMarks } from './item.ts';

/** A star, tags or a note on one item; of each, the latest counts. */
export function foldItemMarked(draft: Draft, event: EventOf<'item.marked'>): void {
  const item = draft.items.get(event.item);
  if (item === undefined) return;
  const { marks: before, ...bare } = item;
  const marks = marksAfter(before ?? {}, event);
  draft.items.set(item.key, Object.keys(marks).length === 0 ? bare : { ...bare, marks });
}

export function marksAfter(before: ItemMarks, event: EventOf<'item.marked'>): ItemMarks {
  const star = event.star ?? before.star;
  const tags = event.tags ?? before.tags;
  const note = event.note === undefined ? before.note : event.note;
  const noted = event.note === undefined ? before.noted : { at: event.at, ...(event.actor !== undefined && { actor: event.actor }) };
  return {
    ...(star === true && { star }),
    ...(tags !== undefined && tags.length > 0 && { tags }),
    ...(typeof note === 'string' && note !== '' && { note, ...(noted !== undefined && { noted }) }),
  };
}

/** The key of the item to which an event belongs, if people can mark it. */
export function markableKey(event: Event): string | undefined {
  switch (event.type) {
    case 'input.delivered':
    case 'input.consumed':
      return inputKey(event.commandId);
    case 'user.message':
      return event.commandId === undefined ? (event.itemId ?? `said:${event.seq}`) : inputKey(event.commandId);
    case 'assistant.text':
    case 'assistant.thinking':
      return blockKey(event);
    case 'tool.started':
    case 'tool.completed':
      return toolKey(event.toolUseId);
    case 'permission.requested':
    case 'permission.resolved':
      return `permission:${event.requestId}`;
    case 'turn.completed':
      return `turn:${event.turnId}`;
    default:
      return undefined;
  }
}

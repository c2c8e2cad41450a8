import type { EventOf } from '../../protocol/event.ts';
import { type Draft, put } from './draft.ts';

export function foldText(draft: Draft, event: EventOf<'assistant.text'>): void {
  put(draft, {
    ...placed(event),
    kind: 'text',
    text: event.text,
    writing: false,
    ...(event.error === undefined ? {} : { error: event.error }),
    ...(event.interrupted === undefined ? {} : { interrupted: event.interrupted }),
  });
}

export function foldThinking(draft: Draft, event: EventOf<'assistant.thinking'>): void {
  const tookMs = sinceBefore(draft, event);
  put(draft, { ...placed(event), kind: 'thinking', text: event.text, writing: false, ...(tookMs === undefined ? {} : { tookMs }) });
}

export const blockKey = (event: EventOf<'assistant.text' | 'assistant.thinking'>): string => event.itemId ?? `block:${event.messageId}:${event.index}`;

const placed = (event: EventOf<'assistant.text' | 'assistant.thinking'>) => ({
  key: blockKey(event),
  seq: event.seq,
  at: event.at,
  ...(event.parentToolUseId === undefined ? {} : { parentToolUseId: event.parentToolUseId }),
  ...(event.blobs?.text === undefined ? {} : { whole: event.blobs.text }),
});

function sinceBefore(draft: Draft, event: EventOf<'assistant.thinking'>): number | undefined {
  const before = draft.events.at(-1);
  if (before === undefined || before.turnId !== event.turnId || before.atKnown === false || event.atKnown === false) return undefined;
  const ms = Date.parse(event.at) - Date.parse(before.at);
  return ms > 0 ? ms : undefined;
}

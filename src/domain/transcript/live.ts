import type { Delta } from '../../protocol/frame.ts';
import { rowsOf } from './draft.ts';
import type { Item } from './item.ts';
import type { Transcript } from './transcript.ts';

/** `gap`: text is missing before this piece, so the complete text must be requested again. */
export interface DeltaResult {
  readonly transcript: Transcript;
  readonly gap: boolean;
}

/** Adds a piece of text in progress. `offset` says where it belongs, so that a repeated piece changes nothing. */
export function applyDelta(transcript: Transcript, delta: Delta): DeltaResult {
  if (transcript.finals.has(delta.itemId)) return { transcript, gap: false };
  const known = transcript.live.get(delta.itemId);
  const length = known === undefined ? 0 : textOf(known).length;
  if (delta.offset > length) return { transcript, gap: true };
  const added = delta.text.slice(length - delta.offset);
  if (added === '' && known !== undefined) return { transcript, gap: false };
  return { transcript: withLive(transcript, known === undefined ? newItem(delta) : grown(known, added)), gap: false };
}

/** The agent started over: the streamed text of this item never became one. */
export function dropDelta(transcript: Transcript, itemId: string): Transcript {
  if (!transcript.live.has(itemId)) return transcript;
  const live = new Map(transcript.live);
  live.delete(itemId);
  return { ...transcript, live, rows: rowsOf({ ...transcript, live }) };
}

/** Replaces the text in progress with the complete text of a snapshot. */
export function replaceLive(transcript: Transcript, partial: readonly Delta[]): Transcript {
  const empty = new Map<string, Item>();
  const cleared = { ...transcript, live: empty, rows: rowsOf({ ...transcript, live: empty }) };
  return partial.reduce<Transcript>((state, delta) => applyDelta(state, delta).transcript, cleared);
}

function withLive(transcript: Transcript, item: Item): Transcript {
  const isNew = !transcript.live.has(item.key);
  const live = new Map(transcript.live).set(item.key, item);
  return { ...transcript, live, rows: isNew ? rowsOf({ ...transcript, live }) : transcript.rows };
}

function newItem(delta: Delta): Item {
  const placed = { key: delta.itemId, seq: 0, ...(delta.parentToolUseId === undefined ? {} : { parentToolUseId: delta.parentToolUseId }) };
  if (delta.kind !== 'tool_input') return { ...placed, kind: delta.kind, text: delta.text, writing: true };
  return { ...placed, kind: 'tool', inputSoFar: delta.text, writing: true, ...(delta.toolName === undefined ? {} : { name: delta.toolName }) };
}

const textOf = (item: Item): string => {
  if (item.kind === 'tool') return item.inputSoFar ?? '';
  return item.kind === 'text' || item.kind === 'thinking' ? item.text : '';
};

function grown(item: Item, added: string): Item {
  if (item.kind === 'tool') return { ...item, inputSoFar: (item.inputSoFar ?? '') + added };
  return item.kind === 'text' || item.kind === 'thinking' ? { ...item, text: item.text + added } : item;
}

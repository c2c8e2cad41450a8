import type { Event, Setting } from '../../protocol/event.ts';
import type { QueuedInput } from '../../protocol/session.ts';
import type { Commands, InputRecord, Item, Models, RequestedSetting } from './item.ts';
import type { Transcript } from './transcript.ts';

/** A transcript under change: copied once for a batch of events, changed in place, then finished. */
export interface Draft {
  events: Event[];
  seeds: readonly QueuedInput[];
  order: string[];
  joining: readonly string[];
  items: Map<string, Item>;
  children: Map<string, readonly string[]>;
  inputs: Map<string, InputRecord>;
  live: Map<string, Item>;
  finals: Set<string>;
  wishes: Map<Setting['setting'], RequestedSetting>;
  models: Models;
  commands: Commands;
  suggestions: readonly string[];
  movedOnAt: number;
}

export const emptyDraft = (seeds: readonly QueuedInput[]): Draft => ({
  events: [],
  seeds,
  order: [],
  joining: [],
  items: new Map(),
  children: new Map(),
  inputs: new Map(),
  live: new Map(),
  finals: new Set(),
  wishes: new Map(),
  models: [],
  commands: [],
  suggestions: [],
  movedOnAt: 0,
});

export const draftOf = (transcript: Transcript): Draft => ({
  events: [...transcript.events],
  seeds: transcript.seeds,
  order: [...transcript.order],
  joining: transcript.joining,
  items: new Map(transcript.items),
  children: new Map(transcript.children),
  inputs: new Map(transcript.inputs),
  live: new Map(transcript.live),
  finals: new Set(transcript.finals),
  wishes: new Map(transcript.wishes),
  models: transcript.models,
  commands: transcript.commands,
  suggestions: transcript.suggestions,
  movedOnAt: transcript.movedOnAt,
});

export const finished = (draft: Draft): Transcript => ({
  firstSeq: draft.events[0]?.seq ?? 0,
  lastSeq: draft.events.at(-1)?.seq ?? 0,
  events: draft.events,
  seeds: draft.seeds,
  rows: rowsOf(draft),
  order: draft.order,
  joining: draft.joining,
  items: draft.items,
  children: draft.children,
  inputs: draft.inputs,
  live: draft.live,
  finals: draft.finals,
  wishes: draft.wishes,
  models: draft.models,
  commands: draft.commands,
  suggestions: draft.suggestions,
  movedOnAt: draft.movedOnAt,
});

/** A subagent's items are inside its tool call, unless that call is before the window. */
export function rowsOf({ order, live, items, joining }: Pick<Transcript, 'order' | 'live' | 'items' | 'joining'>): readonly string[] {
  if (live.size === 0 && joining.length === 0) return order;
  const top = [...live.values()].filter((item) => item.parentToolUseId === undefined || !items.has(toolKey(item.parentToolUseId)));
  return [...order, ...top.map((item) => item.key), ...joining];
}

export const toolKey = (toolUseId: string): string => `tool:${toolUseId}`;

/** Puts an item at the end of its level, or changes the one that has its key without moving it. */
export function put(draft: Draft, item: Item): void {
  const known = draft.items.get(item.key);
  if (known === undefined) place(draft, item);
  const marks = known?.marks === undefined ? {} : { marks: known.marks };
  draft.items.set(item.key, known === undefined ? item : { ...item, seq: known.seq, ...marks });
}

function place(draft: Draft, item: Item): void {
  // A call that names itself as its parent would be drawn inside itself forever.
  if (item.parentToolUseId === undefined || toolKey(item.parentToolUseId) === item.key) {
    draft.order.push(item.key);
    return;
  }
  ensureTool(draft, item.parentToolUseId, item);
  draft.children.set(item.parentToolUseId, [...(draft.children.get(item.parentToolUseId) ?? []), item.key]);
}

/** A running subagent that started before the window still needs a parent item. */
function ensureTool(draft: Draft, toolUseId: string, child: Item): void {
  const key = toolKey(toolUseId);
  if (draft.items.has(key)) return;
  put(draft, { kind: 'tool', key, seq: child.seq, ...(child.at === undefined ? {} : { at: child.at }), toolUseId, writing: false });
}

export function take(draft: Draft, key: string): void {
  draft.items.delete(key);
  draft.order = draft.order.filter((other) => other !== key);
  draft.joining = draft.joining.filter((other) => other !== key);
}

import type { EventOf } from '../../protocol/event.ts';
import { type Draft, put, take } from './draft.ts';
import { foldMark } from './fold-mark.ts';
import type { InputRecord, UserItem } from './item.ts';

/** A person's message waits in the queue, appears in the transcript when it is delivered, and goes back to the queue if the agent did not take it. */
export function accepted(draft: Draft, event: EventOf<'input.accepted'>): void {
  const { commandId, text, mode, images = [], context = [] } = event;
  draft.suggestions = [];
  // A seed of the same message is where the window found it; the event has the true order.
  draft.inputs.delete(commandId);
  const actor = event.actor === undefined ? {} : { actor: event.actor };
  const whole = event.blobs?.text === undefined ? {} : { whole: event.blobs.text };
  draft.inputs.set(commandId, { commandId, text, mode, images, context, imageCount: images.length, state: 'queued', ...actor, ...whole });
}

export const edited = (draft: Draft, { commandId, text }: EventOf<'input.edited'>): void => change(draft, commandId, { text });

export const moved = (draft: Draft, { commandId, before }: EventOf<'input.moved'>): void => move(draft, commandId, before);

/** It goes before all other queued messages. */
export function steered(draft: Draft, { commandId }: EventOf<'input.steered'>): void {
  change(draft, commandId, { mode: 'steer' });
  const first = [...draft.inputs.values()].find((input) => input.state === 'queued' && input.commandId !== commandId);
  if (first !== undefined) move(draft, commandId, first.commandId);
}

export const cancelled = (draft: Draft, { commandId, reason }: EventOf<'input.cancelled'>): void => change(draft, commandId, { state: 'cancelled', reason });

export function delivered(draft: Draft, event: EventOf<'input.delivered'>): void {
  change(draft, event.commandId, { state: 'delivered' });
  const input = draft.inputs.get(event.commandId);
  const key = inputKey(event.commandId);
  if (input?.mode === 'steer' && !draft.items.has(key)) draft.joining = [...draft.joining, key];
  putOrJoin(draft, {
    kind: 'user',
    key,
    seq: event.seq,
    at: event.at,
    commandId: event.commandId,
    images: input?.images ?? [],
    context: input?.context ?? [],
    origin: input?.actor?.kind === 'agent' ? 'agent' : 'person',
    taken: false,
    ...(input?.text === undefined ? {} : { text: input.text }),
    ...(input?.mode === 'steer' ? { steered: true } : {}),
    ...(input?.actor === undefined ? {} : { actor: input.actor }),
    ...(input?.whole === undefined ? {} : { whole: input.whole }),
  });
}

/** A message that joins a running turn has no place among the items before the agent reads it. */
function putOrJoin(draft: Draft, item: UserItem): void {
  if (draft.joining.includes(item.key)) draft.items.set(item.key, item);
  else put(draft, item);
}

/** The agent reads it now: everything above was written without it. */
function placeSteered(draft: Draft, commandId: string, seq: number): void {
  const key = inputKey(commandId);
  if (!draft.joining.includes(key)) return;
  draft.joining = draft.joining.filter((other) => other !== key);
  draft.order.push(key);
  amend(draft, commandId, { seq });
}

export function consumed(draft: Draft, { commandId, seq }: EventOf<'input.consumed'>): void {
  change(draft, commandId, { state: 'taken' });
  placeSteered(draft, commandId, seq);
  amend(draft, commandId, { taken: true });
}

export function returned(draft: Draft, { commandId, reason }: EventOf<'input.returned'>): void {
  take(draft, inputKey(commandId));
  change(draft, commandId, { state: 'queued', reason });
}

export function said(draft: Draft, event: EventOf<'user.message'>): void {
  if (event.commandId !== undefined) placeSteered(draft, event.commandId, event.seq);
  const known = event.commandId === undefined ? undefined : draft.items.get(inputKey(event.commandId));
  if (known?.kind === 'user') {
    // The person's own text is shown; the agent's echo can contain more than that.
    const images = known.images.length > 0 ? known.images : (event.images ?? []);
    const context = known.context.length > 0 ? known.context : (event.context ?? []);
    draft.items.set(known.key, { ...known, text: known.text ?? event.text, images, context, origin: event.origin, taken: true, saidSeq: event.seq });
    return;
  }
  put(draft, {
    kind: 'user',
    key: event.commandId === undefined ? (event.itemId ?? `said:${event.seq}`) : inputKey(event.commandId),
    seq: event.seq,
    at: event.at,
    text: event.text,
    images: event.images ?? [],
    context: event.context ?? [],
    origin: event.origin,
    taken: true,
    saidSeq: event.seq,
    ...(event.commandId === undefined ? {} : { commandId: event.commandId }),
    ...(event.actor === undefined ? {} : { actor: event.actor }),
    ...(event.blobs?.text === undefined ? {} : { whole: event.blobs.text }),
    ...(event.parentToolUseId === undefined ? {} : { parentToolUseId: event.parentToolUseId }),
  });
}

export function forgotten(draft: Draft, event: EventOf<'context.forgotten'>): void {
  amend(draft, event.commandId, { forgotten: event.reason });
  foldMark(draft, event);
}

export const inputKey = (commandId: string): string => `input:${commandId}`;

function change(draft: Draft, commandId: string, fields: Partial<InputRecord>): void {
  const known = draft.inputs.get(commandId) ?? { commandId, images: [], context: [], imageCount: 0, mode: 'queue', state: 'queued' };
  draft.inputs.set(commandId, { ...known, ...fields });
}

function amend(draft: Draft, commandId: string, fields: Partial<UserItem>): void {
  const item = draft.items.get(inputKey(commandId));
  if (item?.kind === 'user') draft.items.set(item.key, { ...item, ...fields });
}

function move(draft: Draft, commandId: string, before: string | undefined): void {
  const input = draft.inputs.get(commandId);
  if (input === undefined) return;
  const others = [...draft.inputs.values()].filter((other) => other.commandId !== commandId);
  const found = others.findIndex((other) => other.commandId === before);
  others.splice(found < 0 ? others.length : found, 0, input);
  draft.inputs = new Map(others.map((other) => [other.commandId, other]));
}

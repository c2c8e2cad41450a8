import type { KeptObservation } from '../../../protocol/observation.ts';
import { itemOf } from '../lines/wire.ts';
import type { Entry } from './entry.ts';
import { observeOne } from './observe.ts';

/** What the lines of a whole conversation tell: blocks numbered as they were printed, and nothing left open. */
export function* observe(entries: readonly Entry[]): Generator<undefined, readonly KeptObservation[]> {
  const told: KeptObservation[] = [];
  const count = createCount();
  for (const entry of entries) {
    for (const one of observeOne(entry)) told.push(numbered(count, one));
    yield;
  }
  return [...told, ...closings(told)];
}

/** All steps one after the other. */
export function atOnce<T>(steps: Generator<undefined, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Counts the blocks of the message that the lines are at. */
function createCount(): (messageId: string) => number {
  let at = '';
  let next = 0;
  return (messageId) => {
    if (messageId !== at) next = 0;
    at = messageId;
    next += 1;
    return next - 1;
  };
}

function numbered(count: (messageId: string) => number, one: KeptObservation): KeptObservation {
  if (one.type === 'tool.started') return { ...one, index: count(one.messageId ?? '') };
  if (one.type !== 'assistant.text' && one.type !== 'assistant.thinking') return one;
  const index = count(one.messageId);
  return { ...one, index, itemId: itemOf(`${one.messageId}:${index}`) };
}

/** A call that was cut off has no result, and nothing may stay open in what is past. */
function closings(told: readonly KeptObservation[]): readonly KeptObservation[] {
  const closed = new Set(told.flatMap((one) => (one.type === 'tool.completed' ? [one.toolUseId] : [])));
  return told.flatMap((one) => {
    if (one.type !== 'tool.started' || closed.has(one.toolUseId)) return [];
    const { toolUseId } = one;
    const identity = { itemId: itemOf(`${toolUseId}:result`), parentItemId: itemOf(toolUseId), toolUseId };
    return [{ type: 'tool.completed', ...identity, output: '', isError: true, closedBy: 'the record has no result of it' } as const];
  });
}

import type { KeptObservation } from '../../../protocol/observation.ts';
import { missingResults } from '../../formats/record-lines.ts';
import { itemOf } from '../lines/wire.ts';
import type { Entry } from './entry.ts';
import { observeLine } from './observe-line.ts';

/** Observations from the lines of a whole conversation: blocks numbered as they were printed, and nothing left open. */
export function* observe(entries: readonly Entry[]): Generator<undefined, readonly KeptObservation[]> {
  const observed: KeptObservation[] = [];
  const count = createCounter();
  for (const entry of entries) {
    for (const one of observeLine(entry)) observed.push(numbered(count, one));
    yield;
  }
  return [...observed, ...missingResults(observed)];
}

/** Runs all steps without a pause. */
export function runToEnd<T>(steps: Generator<undefined, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Counts the blocks of the current message. */
function createCounter(): (messageId: string) => number {
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

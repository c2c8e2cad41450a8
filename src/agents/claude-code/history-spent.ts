import type { PastLine } from '../archive.ts';
import type { RecordLine } from './history-entry.ts';
import { modelOf } from './history-facts.ts';
import { tokensOf, usageOf } from './usage.ts';
import { isObject } from './wire.ts';

/** What the answer in a line cost. Each block of a message has a line of its own, and all tell the same. */
export function spentOf(line: RecordLine): PastLine['spent'] {
  const model = modelOf(line);
  const { id, usage: told } = line.message ?? {};
  if (model === undefined || !isObject(told)) return undefined;
  const usage = {
    input_tokens: countIn(told.input_tokens),
    output_tokens: countIn(told.output_tokens),
    cache_creation_input_tokens: countIn(told.cache_creation_input_tokens),
    cache_read_input_tokens: countIn(told.cache_read_input_tokens),
  };
  return {
    ...(typeof id === 'string' && { messageId: id }),
    model,
    usage: usageOf(usage),
    // A subagent fills a window of its own.
    ...(!line.isSidechain && { contextTokens: tokensOf(usage) }),
    ...(line.timestamp !== undefined && { at: line.timestamp }),
  };
}

const countIn = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0);

import type { PastLine } from '../../archive.ts';
import { isId } from '../lines/blocks.ts';
import { filledBy } from '../lines/usage.ts';
import { isObject } from '../lines/wire.ts';
import type { RecordLine } from './entry.ts';
import { modelOf } from './facts.ts';

/** What the answer in a line cost. Each block of a message has a line of its own, and all tell the same. */
export function spentOf(line: RecordLine): PastLine['spent'] {
  const model = modelOf(line);
  const { id, usage: told } = line.message ?? {};
  if (model === undefined || !isObject(told)) return undefined;
  const usage = {
    inputTokens: countIn(told.input_tokens),
    outputTokens: countIn(told.output_tokens),
    cacheReadTokens: countIn(told.cache_read_input_tokens),
    cacheWriteTokens: countIn(told.cache_creation_input_tokens),
  };
  return {
    ...(isId(id) && { messageId: id }),
    model,
    usage,
    // A subagent fills a window of its own.
    ...(!line.isSidechain && { contextTokens: filledBy(usage) }),
    ...(line.timestamp !== undefined && { at: line.timestamp }),
  };
}

const countIn = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0);

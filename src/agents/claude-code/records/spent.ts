import { isObject } from '../../formats/shape.ts';
import type { PastLine } from '../../port/archive.ts';
import { isId } from '../lines/blocks.ts';
import { filledBy } from '../lines/usage.ts';
import type { RecordLine } from './entry.ts';
import { modelOf } from './facts.ts';

/** The cost of the answer in a line. Each block of a message has its own line, and all of them repeat the same cost. */
export function spentOf(line: RecordLine): PastLine['spent'] {
  const model = modelOf(line);
  const { id, usage: observed } = line.message ?? {};
  if (model === undefined || !isObject(observed)) return undefined;
  const usage = {
    inputTokens: countIn(observed.input_tokens),
    outputTokens: countIn(observed.output_tokens),
    cacheReadTokens: countIn(observed.cache_read_input_tokens),
    cacheWriteTokens: countIn(observed.cache_creation_input_tokens),
  };
  return {
    ...(isId(id) && { messageId: id }),
    model,
    usage,
    // A subagent has its own context window.
    ...(!line.isSidechain && { contextTokens: filledBy(usage) }),
    ...(line.timestamp !== undefined && { at: line.timestamp }),
  };
}

const countIn = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0);

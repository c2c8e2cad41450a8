import * as z from 'zod/mini';
import type { PastLine } from '../archive.ts';
import type { RecordLine } from './history-entry.ts';
import { modelOf } from './history-facts.ts';
import { tokensOf, usageOf } from './usage.ts';
import { ApiUsage } from './wire.ts';

const Spent = z.object({ id: z.optional(z.string()), usage: ApiUsage });

/** What the answer in a line cost. Each block of a message has a line of its own, and all tell the same. */
export function spentOf(line: RecordLine): PastLine['spent'] {
  const model = modelOf(line);
  if (model === undefined) return undefined;
  const parsed = z.safeParse(Spent, line.message);
  if (!parsed.success) return undefined;
  const { id, usage } = parsed.data;
  return {
    ...(id !== undefined && { messageId: id }),
    model,
    usage: usageOf(usage),
    // A subagent fills a window of its own.
    ...(!line.isSidechain && { contextTokens: tokensOf(usage) }),
    ...(line.timestamp !== undefined && { at: line.timestamp }),
  };
}

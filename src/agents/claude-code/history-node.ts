import type { PastNode } from '../archive.ts';
import { blocksOf, type RecordLine } from './history-entry.ts';
import { isObject } from './wire.ts';

/** The place of a line in the tree. What subagents said is a thread of its own, which begins anew: it must not look like a branch of the conversation. */
export function nodeOf(line: RecordLine): PastNode | undefined {
  const { uuid, parentUuid } = line;
  if (uuid === undefined || parentUuid === undefined || line.isSidechain) return undefined;
  // A compaction begins a new root and names what came before it.
  const parent = parentUuid ?? line.logicalParentUuid ?? null;
  return { id: uuid, parent, ...(isBesideOthers(line) && { joins: true }) };
}

/** Results of tools that ran side by side hang each on its own call, and so does what else came of the call (2.1.197). */
function isBesideOthers(line: RecordLine): boolean {
  if (line.type === 'user') return hasOnlyResults(blocksOf(line));
  return line.type === 'progress' || (line.type === 'attachment' && isOfToolHook(line.fields.attachment));
}

const hasOnlyResults = (blocks: readonly unknown[]): boolean => blocks.length > 0 && blocks.every((block) => isObject(block) && block.type === 'tool_result');

const isOfToolHook = (attachment: unknown): boolean =>
  isObject(attachment) && typeof attachment.hookEvent === 'string' && /^(?:Pre|Post)ToolUse/.test(attachment.hookEvent);

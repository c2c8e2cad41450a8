import { isObject } from '../../formats/shape.ts';
import type { PastNode } from '../../port/archive.ts';
import { blocksOf, type RecordLine } from './entry.ts';

/** A line's position in the tree. A subagent is a separate thread with its own root, and must not look like a branch of the conversation. */
export function nodeOf(line: RecordLine): PastNode | undefined {
  const { uuid, parentUuid } = line;
  if (uuid === undefined || parentUuid === undefined || line.isSidechain) return undefined;
  // A compaction starts a new root and names the line before it.
  const parent = parentUuid ?? line.logicalParentUuid ?? null;
  return { id: uuid, parent, ...(joinsParent(line) && { joins: true }) };
}

/**
 * Only a prompt opens a branch. A result is a child of its call, even when other lines already follow the call (2.1.197). The same goes for lines that the CLI writes by itself:
 * retries come after the answer they led to, and in a terminal `/compact` writes its own lines after the summary, each with an earlier line as its parent.
 */
function joinsParent(line: RecordLine): boolean {
  if (line.type === 'user') return hasOnlyResults(blocksOf(line)) || isCaveat(line.message?.content);
  return line.type === 'progress' || line.type === 'system' || (line.type === 'attachment' && isOfToolHook(line.fields.attachment));
}

const hasOnlyResults = (blocks: readonly unknown[]): boolean => blocks.length > 0 && blocks.every((block) => isObject(block) && block.type === 'tool_result');

/** The CLI's note to the model before the output of a terminal command. */
const isCaveat = (content: unknown): boolean =>
  typeof content === 'string' && /^(?:<local-command-caveat>|Caveat: The messages below were generated)/.test(content);

const isOfToolHook = (attachment: unknown): boolean =>
  isObject(attachment) && typeof attachment.hookEvent === 'string' && /^(?:Pre|Post)ToolUse/.test(attachment.hookEvent);

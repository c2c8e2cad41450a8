import type { PastNode } from '../../archive.ts';
import { isObject } from '../lines/wire.ts';
import { blocksOf, type RecordLine } from './entry.ts';

/** The place of a line in the tree. What subagents said is a thread of its own, which begins anew: it must not look like a branch of the conversation. */
export function nodeOf(line: RecordLine): PastNode | undefined {
  const { uuid, parentUuid } = line;
  if (uuid === undefined || parentUuid === undefined || line.isSidechain) return undefined;
  // A compaction begins a new root and names what came before it.
  const parent = parentUuid ?? line.logicalParentUuid ?? null;
  return { id: uuid, parent, ...(isBesideOthers(line) && { joins: true }) };
}

/**
 * Only a prompt opens a branch. What came of a call hangs on the call, though others follow it already (2.1.197). So does what the CLI writes by itself: retries are
 * written behind the answer that they led to, and in a terminal `/compact` writes its own lines behind the summary, each hanging on what came before.
 */
function isBesideOthers(line: RecordLine): boolean {
  if (line.type === 'user') return hasOnlyResults(blocksOf(line)) || isCaveat(line.message?.content);
  return line.type === 'progress' || line.type === 'system' || (line.type === 'attachment' && isOfToolHook(line.fields.attachment));
}

const hasOnlyResults = (blocks: readonly unknown[]): boolean => blocks.length > 0 && blocks.every((block) => isObject(block) && block.type === 'tool_result');

/** The words that go before a command of the terminal, for the model. */
const isCaveat = (content: unknown): boolean =>
  typeof content === 'string' && /^(?:<local-command-caveat>|Caveat: The messages below were generated)/.test(content);

const isOfToolHook = (attachment: unknown): boolean =>
  isObject(attachment) && typeof attachment.hookEvent === 'string' && /^(?:Pre|Post)ToolUse/.test(attachment.hookEvent);

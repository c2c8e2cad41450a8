import type { Block, Reply } from './reply.ts';

/** A scene calls tools by the names of one CLI; others have the same tools under names of their own, which the request lists. */
export function inDialect(reply: Reply, offered: readonly string[]): Reply {
  if (reply.kind !== 'message' || offered.includes('Write') || !offered.includes('write')) return reply;
  return { ...reply, blocks: reply.blocks.map(translated) };
}

type Input = Readonly<Record<string, unknown>>;

function translated(block: Block): Block {
  if (block.kind !== 'tool') return block;
  const input = INPUTS[block.name];
  return input === undefined ? block : { ...block, name: block.name.toLowerCase(), input: input(block.input) };
}

/** Seen with Pi 0.73.1 and 0.87.1. */
const INPUTS: Readonly<Record<string, (input: Input) => Input>> = {
  Bash: ({ command }) => ({ command }),
  Write: ({ file_path: path, content }) => ({ path, content }),
  Read: ({ file_path: path }) => ({ path }),
  Edit: ({ file_path: path, old_string: oldText, new_string: newText }) => ({ path, edits: [{ oldText, newText }] }),
};

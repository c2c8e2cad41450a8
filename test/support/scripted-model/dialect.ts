import type { Block, Reply } from './reply.ts';

/** A tool as a request offers it. */
interface Offered {
  readonly name: string;
  readonly input_schema?: unknown;
}

/** A scene calls tools by the names of one CLI; others have the same tools under names of their own, which the request lists. */
export function inDialect(reply: Reply, offered: readonly Offered[]): Reply {
  const write = offered.find(({ name }) => name === 'write');
  if (reply.kind !== 'message' || write === undefined || offered.some(({ name }) => name === 'Write')) return reply;
  const inputs = JSON.stringify(write.input_schema ?? {}).includes('"filePath"') ? OPENCODE : PI;
  return { ...reply, blocks: reply.blocks.map((block) => translated(block, inputs)) };
}

type Input = Readonly<Record<string, unknown>>;
type Inputs = Readonly<Record<string, (input: Input) => Input>>;

function translated(block: Block, inputs: Inputs): Block {
  if (block.kind !== 'tool') return block;
  const input = inputs[block.name];
  return input === undefined ? block : { ...block, name: block.name.toLowerCase(), input: input(block.input) };
}

/** Seen with Pi 0.73.1 and 0.87.1. */
const PI: Inputs = {
  Bash: ({ command }) => ({ command }),
  Write: ({ file_path: path, content }) => ({ path, content }),
  Read: ({ file_path: path }) => ({ path }),
  Edit: ({ file_path: path, old_string: oldText, new_string: newText }) => ({ path, edits: [{ oldText, newText }] }),
};

/** Seen with OpenCode 1.18.33. */
const OPENCODE: Inputs = {
  Bash: ({ command, description }) => ({ command, description }),
  Write: ({ file_path: filePath, content }) => ({ filePath, content }),
  Read: ({ file_path: filePath }) => ({ filePath }),
  Edit: ({ file_path: filePath, old_string: oldString, new_string: newString }) => ({ filePath, oldString, newString }),
};

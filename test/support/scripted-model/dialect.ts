import type { Block, Reply } from './reply.ts';

/** A tool that a request offers. */
interface Offered {
  readonly name: string;
  readonly input_schema?: unknown;
}

/** Prefix of Signalbox's own tools in a scenario; each CLI has its own. */
export const OWN_TOOL = 'signalbox:';

/** A scenario uses one CLI's tool names; others have the same tools under their own names, which the request lists. */
export const withToolNamesOf = (reply: Reply, offered: readonly Offered[]): Reply =>
  withOwnNames(reply.kind === 'message' ? { ...reply, blocks: reply.blocks.map((block) => ownTool(block, offered)) } : reply, offered);

function ownTool(block: Block, offered: readonly Offered[]): Block {
  if (block.kind !== 'tool' || !block.name.startsWith(OWN_TOOL)) return block;
  const bare = block.name.slice(OWN_TOOL.length);
  return { ...block, name: offered.find(({ name }) => name === bare || name.endsWith(`_${bare}`))?.name ?? bare };
}

function withOwnNames(reply: Reply, offered: readonly Offered[]): Reply {
  if (reply.kind === 'message' && offered.some(({ name }) => name === 'exec_command')) return { ...reply, blocks: reply.blocks.map(inShell) };
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

/** Codex 0.166.0 does everything in a shell; a patch in it becomes a file change. */
function inShell(block: Block): Block {
  const cmd = block.kind === 'tool' ? SHELL[block.name]?.(block.input) : undefined;
  return block.kind === 'tool' && cmd !== undefined ? { ...block, name: 'exec_command', input: { cmd } } : block;
}

const SHELL: Readonly<Record<string, (input: Input) => string>> = {
  Bash: ({ command }) => String(command),
  Write: ({ file_path: path, content }) => patch(`*** Add File: ${String(path)}`, lines('+', content)),
  Read: ({ file_path: path }) => `cat '${String(path)}'`,
  Edit: ({ file_path: path, old_string: before, new_string: after }) =>
    patch(`*** Update File: ${String(path)}`, `@@\n${lines('-', before)}${lines('+', after)}`),
};

const patch = (head: string, body: string): string => `apply_patch <<'EOF'\n*** Begin Patch\n${head}\n${body}*** End Patch\nEOF`;

const lines = (sign: string, text: unknown): string =>
  String(text)
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${sign}${line}\n`)
    .join('');

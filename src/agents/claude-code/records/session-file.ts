import * as z from 'zod/mini';
import type { AgentFile } from '../../port/adapter.ts';

/** The CLI's own file of a session, written about 100 ms after its output. */
export const memory: AgentFile = { file, recall };

/** `cwd` must be the real path: the CLI resolves links before it names the folder. */
function file({ cwd, agentSessionId, env }: Parameters<AgentFile['file']>[0]): string {
  return `${projectsOf(env)}/${folderOf(cwd)}/${agentSessionId}.jsonl`;
}

type Environment = Readonly<Record<string, string>>;

/** The CLI's own folder. */
export const homeOf = (env: Environment): string => env.CLAUDE_CONFIG_DIR || `${env.HOME ?? ''}/.claude`;

export const projectsOf = (env: Environment): string => `${homeOf(env)}/projects`;

const FOLDER_CHARS = 200;

/** Every character except ASCII letters and digits becomes a dash; a long name is cut and gets a hash to stay unique. */
export function folderOf(cwd: string): string {
  const name = cwd.replace(/[^A-Za-z0-9]/g, '-');
  return name.length <= FOLDER_CHARS ? name : `${name.slice(0, FOLDER_CHARS)}-${hashOf(cwd)}`;
}

function hashOf(path: string): string {
  let hash = 0;
  for (let at = 0; at < path.length; at += 1) hash = ((hash << 5) - hash + path.charCodeAt(at)) | 0;
  return Math.abs(hash).toString(36);
}

const FileLine = z.looseObject({
  type: z.string(),
  subtype: z.optional(z.string()),
  uuid: z.optional(z.string()),
  isMeta: z.optional(z.boolean()),
  isSidechain: z.optional(z.boolean()),
  attachment: z.optional(z.looseObject({ source_uuid: z.optional(z.string()) })),
  isApiErrorMessage: z.optional(z.boolean()),
  message: z.optional(z.looseObject({ content: z.optional(z.unknown()), model: z.optional(z.string()), stop_reason: z.nullish(z.string()) })),
});
type FileLine = z.infer<typeof FileLine>;

/** An input is in the file under its uuid; one that joined a running turn is an attachment that names it. Files can be long, so only the lines after it are parsed. */
function recall(text: string, inputId: string): 'absent' | 'taken' | 'answered' {
  const from = afterInput(text, inputId);
  if (from === undefined) return 'absent';
  for (const raw of linesFrom(text, from)) {
    const line = parse(raw);
    if (line === undefined || line.isSidechain) continue;
    if (isAnswer(line)) return 'answered';
    if (isPrompt(line)) return 'taken';
  }
  return 'taken';
}

/** Where the line after the input starts. */
function afterInput(text: string, inputId: string): number | undefined {
  for (let at = text.indexOf(inputId); at >= 0; ) {
    const end = endOfLine(text, at);
    if (isInput(parse(text.slice(text.lastIndexOf('\n', at) + 1, end)), inputId)) return end + 1;
    at = text.indexOf(inputId, end);
  }
  return undefined;
}

function* linesFrom(text: string, from: number): Generator<string> {
  for (let at = from; at < text.length; ) {
    const end = endOfLine(text, at);
    yield text.slice(at, end);
    at = end + 1;
  }
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** Mostly a user line; an unknown slash command is a system line (2.1.197). */
const isInput = (line: FileLine | undefined, inputId: string): boolean => line?.uuid === inputId || line?.attachment?.source_uuid === inputId;

/** The end of a turn: an assistant line that doesn't wait for a tool, or the output of a slash command. */
function isAnswer(line: FileLine): boolean {
  if (line.type === 'system') return line.subtype === 'local_command';
  if (line.type === 'user') return isCommandOutput(line.message?.content);
  const stopReason = line.type === 'assistant' ? line.message?.stop_reason : undefined;
  // A resumed CLI writes "No response requested." after an interrupted turn; it is not an answer.
  const isOwnRemark = line.message?.model === '<synthetic>' && !line.isApiErrorMessage;
  return typeof stopReason === 'string' && stopReason !== 'tool_use' && !isOwnRemark;
}

const isCommandOutput = (content: unknown): boolean => typeof content === 'string' && content.startsWith('<local-command-std');

/** The next message; an answer after it isn't ours. */
function isPrompt(line: FileLine): boolean {
  return line.type === 'user' && !line.isMeta && !isToolResult(line.message?.content);
}

const ToolResult = z.looseObject({ type: z.literal('tool_result') });
const isToolResult = (content: unknown): boolean => Array.isArray(content) && content.some((block) => z.safeParse(ToolResult, block).success);

function parse(raw: string): FileLine | undefined {
  try {
    const parsed = z.safeParse(FileLine, JSON.parse(raw));
    return parsed.success ? parsed.data : undefined;
  } catch {
    // A line cut by a kill doesn't count.
    return undefined;
  }
}

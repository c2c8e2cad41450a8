import * as z from 'zod/mini';
import { isObject } from './wire.ts';

/** One line of the CLI's own record of a conversation. */
export interface Entry {
  /** Its place in the file. */
  readonly index: number;
  readonly raw: string;
  /** Undefined when it is no object at all. */
  readonly line: RecordLine | undefined;
}

const RecordLine = z.looseObject({
  type: z.catch(z.string(), 'nothing'),
  subtype: z.catch(z.optional(z.string()), undefined),
  uuid: z.catch(z.optional(z.string()), undefined),
  parentUuid: z.catch(z.nullish(z.string()), undefined),
  /** Of a new root after a compaction: what came before it. */
  logicalParentUuid: z.catch(z.nullish(z.string()), undefined),
  isSidechain: z.catch(z.optional(z.boolean()), undefined),
  isMeta: z.catch(z.optional(z.boolean()), undefined),
  isCompactSummary: z.catch(z.optional(z.boolean()), undefined),
  timestamp: z.catch(z.optional(z.string()), undefined),
  cwd: z.catch(z.optional(z.string()), undefined),
  sourceToolAssistantUUID: z.catch(z.optional(z.string()), undefined),
  message: z.catch(z.optional(z.looseObject({ content: z.optional(z.unknown()), model: z.optional(z.string()) })), undefined),
});
export type RecordLine = z.infer<typeof RecordLine>;

/** One line as it stands. Every version adds kinds and fields: nothing is refused here. */
export function readLine(raw: string, index = 0): Entry {
  const parsed = z.safeParse(RecordLine, parse(raw));
  return { index, raw, line: parsed.success ? parsed.data : undefined };
}

/** A last line without its newline is still being written, or was cut by a kill: it never came in. */
export function* readLines(text: string): Generator<undefined, readonly Entry[]> {
  const entries: Entry[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    entries.push(readLine(raw, index));
    yield;
  }
  const last = entries.at(-1);
  return (last?.line === undefined ? entries.slice(0, -1) : entries).filter((entry) => entry.raw.trim() !== '');
}

function parse(raw: string): unknown {
  try {
    const value: unknown = JSON.parse(raw);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const ToolResult = z.looseObject({ type: z.literal('tool_result'), tool_use_id: z.string() });
const ToolUse = z.looseObject({ type: z.literal('tool_use'), id: z.string() });

/** The tool calls that a line answers. */
export const answersOf = ({ line }: Entry): readonly string[] =>
  blocksOf(line).flatMap((block) => {
    const result = z.safeParse(ToolResult, block);
    return result.success ? [result.data.tool_use_id] : [];
  });

/** The tool calls that a line makes. */
export const callsOf = ({ line }: Entry): readonly string[] =>
  blocksOf(line).flatMap((block) => {
    const use = z.safeParse(ToolUse, block);
    return use.success ? [use.data.id] : [];
  });

const blocksOf = (line: RecordLine | undefined): readonly unknown[] => (Array.isArray(line?.message?.content) ? line.message.content : []);

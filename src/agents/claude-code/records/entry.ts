import { isId } from '../lines/blocks.ts';
import { isObject } from '../lines/wire.ts';

/** One line of the CLI's own record of a conversation. */
export interface Entry {
  /** Its place in the file. */
  readonly index: number;
  readonly raw: string;
  /** Undefined when it is no object at all. */
  readonly line: RecordLine | undefined;
}

/** What lines of every kind may say of themselves; the rest is looked at by whoever reads the kind. */
export interface RecordLine {
  readonly type: string;
  readonly subtype: string | undefined;
  readonly uuid: string | undefined;
  /** Null at the beginning of a conversation; undefined for a line that stands beside it. */
  readonly parentUuid: string | null | undefined;
  /** Of a new root after a compaction: what came before it. */
  readonly logicalParentUuid: string | undefined;
  readonly isSidechain: boolean;
  readonly isMeta: boolean;
  readonly isCompactSummary: boolean;
  readonly timestamp: string | undefined;
  readonly cwd: string | undefined;
  readonly message: { readonly id?: unknown; readonly model?: unknown; readonly content?: unknown; readonly usage?: unknown } | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** One line as it stands. Every version adds kinds and fields: nothing is refused here. */
export function readLine(raw: string, index = 0): Entry {
  const value = parse(raw);
  return { index, raw, line: isObject(value) ? lineOf(value) : undefined };
}

/** By hand, because gigabytes of these are read and a schema would copy every field of each. */
function lineOf(fields: Readonly<Record<string, unknown>>): RecordLine {
  const { parentUuid, message } = fields;
  return {
    type: textIn(fields.type) ?? 'nothing',
    subtype: textIn(fields.subtype),
    uuid: idIn(fields.uuid),
    parentUuid: parentUuid === null ? null : idIn(parentUuid),
    logicalParentUuid: idIn(fields.logicalParentUuid),
    isSidechain: fields.isSidechain === true,
    isMeta: fields.isMeta === true,
    isCompactSummary: fields.isCompactSummary === true,
    timestamp: timeIn(fields.timestamp),
    cwd: textIn(fields.cwd),
    message: isObject(message) ? message : undefined,
    fields,
  };
}

export const idIn = (value: unknown): string | undefined => (isId(value) ? value : undefined);

/** A text that says something. */
export const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Times are compared and shown by others: what is none must not pass for one. */
const timeIn = (value: unknown): string | undefined => (typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined);

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
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}

/** The tool calls that a line answers. */
export const answersOf = ({ line }: Entry): readonly string[] => idsIn(line, 'tool_result', 'tool_use_id');

/** The tool calls that a line makes. */
export const callsOf = ({ line }: Entry): readonly string[] => idsIn(line, 'tool_use', 'id');

export const blocksOf = (line: RecordLine | undefined): readonly unknown[] => (Array.isArray(line?.message?.content) ? line.message.content : []);

function idsIn(line: RecordLine | undefined, type: string, key: string): readonly string[] {
  return blocksOf(line).flatMap((block) => {
    const id = isObject(block) && block.type === type ? block[key] : undefined;
    return isId(id) ? [id] : [];
  });
}

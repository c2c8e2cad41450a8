import { jsonObject } from '../../formats/json-object.ts';
import { isObject } from '../../formats/shape.ts';
import { isId } from '../lines/blocks.ts';

/** One line of the CLI's own record of a conversation. */
export interface Entry {
  /** Position in the file. */
  readonly index: number;
  readonly raw: string;
  /** Undefined when the line isn't a JSON object. */
  readonly line: RecordLine | undefined;
}

/** Fields that lines of any kind may have; the reader of each kind checks the rest. */
export interface RecordLine {
  readonly type: string;
  readonly subtype: string | undefined;
  readonly uuid: string | undefined;
  /** Null at the start of a conversation; undefined for a line outside the tree. */
  readonly parentUuid: string | null | undefined;
  /** On a new root after a compaction: the line before it. */
  readonly logicalParentUuid: string | undefined;
  readonly isSidechain: boolean;
  readonly isMeta: boolean;
  readonly isCompactSummary: boolean;
  readonly timestamp: string | undefined;
  readonly cwd: string | undefined;
  readonly message: { readonly id?: unknown; readonly model?: unknown; readonly content?: unknown; readonly usage?: unknown } | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Parses one line. Every version adds kinds and fields, so nothing is rejected here. */
export function readLine(raw: string, index = 0): Entry {
  const fields = jsonObject(raw);
  return { index, raw, line: fields === undefined ? undefined : lineOf(fields) };
}

/** Checked by hand, because records have gigabytes of these and a schema would copy every field. */
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

/** A non-empty string. */
export const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Times are compared and shown elsewhere, so an invalid one is dropped. */
const timeIn = (value: unknown): string | undefined => (typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined);

/** A last line without a newline is still being written, or was cut by a kill: unless it is complete, it doesn't count. */
export function* readLines(text: string): Generator<undefined, readonly Entry[]> {
  const entries: Entry[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    entries.push(readLine(raw, index));
    yield;
  }
  const last = entries.at(-1);
  return (last?.line === undefined ? entries.slice(0, -1) : entries).filter((entry) => entry.raw.trim() !== '');
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

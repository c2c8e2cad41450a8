import { jsonObject } from '../json-object.ts';
import { amount, type Loose, nullish, object, optional, text } from '../shape.ts';
import { isUsage, type PiUsage } from './message.ts';

type Maybe<T> = T | null | undefined;

/** A line of a session file: the fields that all kinds share. The first version of the format had no ids. */
export interface PiEntry {
  readonly type: string;
  readonly id: string | undefined;
  readonly parentId: string | null | undefined;
  readonly timestamp: string | undefined;
  readonly fields: Loose<object>;
}

export function readEntry(line: string): PiEntry | undefined {
  const fields = jsonObject(line);
  if (fields === undefined) return undefined;
  const { parentId } = fields;
  return {
    type: textIn(fields.type) ?? 'nothing',
    id: textIn(fields.id),
    parentId: parentId === null ? null : textIn(parentId),
    timestamp: textIn(fields.timestamp),
    fields,
  };
}

const textIn = (value: unknown): string | undefined => (text(value) ? value : undefined);

/** The first line. `parentSession` is the path of the file this one was copied from. */
export interface PiHeader {
  readonly cwd: string | undefined;
  readonly parentSession: Maybe<string>;
}
export const isHeader = object<PiHeader>({ cwd: optional(text), parentSession: nullish(text) });

export const isMessageEntry = object<{ readonly message: Loose<{ readonly role: string }> }>({ message: object<{ readonly role: string }>({ role: text }) });
export const isModelChange = object<{ readonly provider: string | undefined; readonly modelId: string }>({ provider: optional(text), modelId: text });
export const isSessionInfo = object<{ readonly name: string | undefined }>({ name: optional(text) });
export const isLabel = object<{ readonly label: Maybe<string> }>({ label: nullish(text) });

interface Compaction {
  readonly summary: string;
  readonly firstKeptEntryId: Maybe<string>;
  readonly tokensBefore: Maybe<number>;
  readonly usage: Maybe<PiUsage>;
}
export const isCompaction = object<Compaction>({ summary: text, firstKeptEntryId: nullish(text), tokensBefore: nullish(amount), usage: nullish(isUsage) });

export const isBranchSummary = object<{ readonly summary: string; readonly usage: Maybe<PiUsage> }>({ summary: text, usage: nullish(isUsage) });

export interface PiUsed {
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly usage: PiUsage;
}
export const isUsed = object<PiUsed>({ provider: optional(text), model: optional(text), usage: isUsage });

import * as z from 'zod/mini';
import { jsonObject } from './json-object.ts';
import { PiUsage } from './pi-message.ts';

/** A line of a session file, as far as all kinds have it in common. The first version of the format had no ids. */
const PiEntry = z.looseObject({
  type: z.catch(z.string(), 'nothing'),
  id: z.catch(z.optional(z.string()), undefined),
  parentId: z.catch(z.nullish(z.string()), undefined),
  timestamp: z.catch(z.optional(z.string()), undefined),
});
export type PiEntry = z.infer<typeof PiEntry>;

export function readEntry(line: string): PiEntry | undefined {
  const object = jsonObject(line);
  return object === undefined ? undefined : z.parse(PiEntry, object);
}

const text = z.string();

/** The first line. `parentSession` is the path of the file that this one was copied from. */
export const PiHeader = z.looseObject({ id: z.optional(text), cwd: z.optional(text), parentSession: z.nullish(text) });

export const PiMessageEntry = z.looseObject({ message: z.looseObject({ role: text }) });
export const PiModelChange = z.looseObject({ provider: z.optional(text), modelId: text });
export const PiSessionInfo = z.looseObject({ name: z.optional(text) });
export const PiLabel = z.looseObject({ label: z.nullish(text) });

export const PiCompaction = z.looseObject({
  summary: text,
  firstKeptEntryId: z.nullish(text),
  tokensBefore: z.nullish(z.number()),
  usage: z.nullish(PiUsage),
});

export const PiBranchSummary = z.looseObject({ summary: text, usage: z.nullish(PiUsage) });
export const PiCustomMessage = z.looseObject({
  content: z.optional(z.union([text, z.array(z.looseObject({ type: text }))])),
  display: z.optional(z.boolean()),
});
export const PiUsageEntry = z.looseObject({ provider: z.optional(text), model: z.optional(text), usage: PiUsage });

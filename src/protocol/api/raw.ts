import * as z from 'zod/mini';
import { RunId } from '../ids.ts';

/** What the agent printed, its input, and its errors (stderr). */
export const RawSide = z.enum(['out', 'in', 'err']);
export type RawSide = z.infer<typeof RawSide>;

/** One life of the agent's process, and how much there is of each side. */
export const RawRun = z.object({ run: RunId, openedAt: z.string(), bytes: z.object({ out: z.int(), in: z.int(), err: z.int() }) });
export type RawRun = z.infer<typeof RawRun>;

/** `place`: the byte at which the line starts; in a record, the number of its event. */
export const RawLine = z.object({
  place: z.int(),
  bytes: z.int(),
  text: z.string(),
  /** The text is only its head. */
  cut: z.optional(z.boolean()),
  /** It is not complete yet. */
  open: z.optional(z.boolean()),
});
export type RawLine = z.infer<typeof RawLine>;

export const RawPage = z.object({
  /** run: our own files, paged by bytes; record: the agent's record, paged by events. */
  source: z.enum(['run', 'record']),
  runs: z.array(RawRun),
  run: z.optional(RunId),
  side: RawSide,
  lines: z.array(RawLine),
  /** Where to continue towards the start (`before`), if there is more, and towards the end (`after`). */
  before: z.optional(z.int()),
  after: z.int(),
  /** There is more towards the end. */
  more: z.boolean(),
});
export type RawPage = z.infer<typeof RawPage>;

const place = z.coerce.number().check(z.int(), z.minimum(0));

/** Without a place: the end. Without a run: the latest; `record` for what was read from the agent's own record. */
export const RawQuery = z.object({
  run: z.optional(z.union([RunId, z.literal('record')])),
  side: z.optional(RawSide),
  before: z.optional(place),
  after: z.optional(place),
});
export type RawQuery = z.infer<typeof RawQuery>;

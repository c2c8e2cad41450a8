import * as z from 'zod/mini';

/** The stand-in's output with `--session`; test/fixtures/stand-in.c describes it. */
const Ready = z.object({ t: z.literal('ready'), pid: z.int(), session: z.optional(z.string()) });
const Ack = z.object({ t: z.literal('ack'), n: z.int(), id: z.string(), bytes: z.int(), hash: z.string() });
const Done = z.object({ t: z.literal('done'), deltas: z.int(), dropped: z.int(), stopped: z.optional(z.boolean()) });
const Tool = z.object({ t: z.literal('tool'), i: z.int() });
const ToolDone = z.object({ t: z.literal('tool-done'), i: z.int(), stopped: z.boolean() });
const Ask = z.object({ t: z.literal('ask'), request: z.string() });
const Answered = z.object({ t: z.literal('answered'), request: z.string(), allow: z.boolean() });
const Withdrawn = z.object({ t: z.literal('withdrawn'), request: z.string() });
const Half = z.object({ t: z.literal('half') });
const Eof = z.object({ t: z.literal('eof') });

export const StandInLine = z.discriminatedUnion('t', [Ready, Ack, Done, Tool, ToolDone, Ask, Answered, Withdrawn, Half, Eof]);
export type StandInLine = z.infer<typeof StandInLine>;

export interface DeltaLine {
  readonly t: 'delta';
  readonly i: number;
  readonly ns: number;
  readonly text: string;
}

/** Checked by hand, because most lines are deltas and a benchmark should measure us, not a schema. */
export const isDelta = (raw: unknown): raw is DeltaLine =>
  typeof raw === 'object' && raw !== null && 't' in raw && raw.t === 'delta' && 'text' in raw && typeof raw.text === 'string';

/** Starts the ids of everything sent to it except inputs; no input id starts with it. */
export const OURS = '~';

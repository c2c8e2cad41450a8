import * as z from 'zod/mini';
import { SessionId } from '../ids.ts';
import { Status } from '../session.ts';

/** All times of the panel are milliseconds since 1970: there are many of them, and they are only used for calculations. */
const moment = { seq: z.int(), at: z.int() };

/** The progress of an agent's own to-do list. */
export const TodoCount = z.object({ done: z.int(), total: z.int() });
export type TodoCount = z.infer<typeof TodoCount>;

const TurnEnd = z.enum(['done', 'failed', 'crashed', 'stopped']);
const Outcome = z.enum(['allowed', 'denied', 'cancelled', 'lapsed']);

/** The few facts of one event that its session's track needs. */
export const Move = z.discriminatedUnion('type', [
  z.object({ type: z.literal('born'), ...moment, parent: z.optional(SessionId) }),
  z.object({ type: z.literal('began'), ...moment }),
  z.object({ type: z.literal('ended'), ...moment, how: TurnEnd, words: z.optional(z.string()), forMs: z.optional(z.int()) }),
  z.object({ type: z.literal('called'), ...moment, id: z.string(), what: z.string(), todo: z.optional(TodoCount) }),
  z.object({ type: z.literal('returned'), ...moment, id: z.string(), failed: z.boolean() }),
  z.object({ type: z.literal('asked'), ...moment, id: z.string(), what: z.string(), call: z.optional(z.string()) }),
  z.object({ type: z.literal('answered'), ...moment, id: z.string(), how: Outcome }),
  z.object({ type: z.literal('stood'), ...moment, status: Status, why: z.string() }),
  z.object({ type: z.literal('compacted'), ...moment, before: z.optional(z.int()), after: z.optional(z.int()) }),
]);
export type Move = z.infer<typeof Move>;

/** Something with a duration: without `to` it is not over. */
const stretch = { seq: z.int(), from: z.int(), to: z.optional(z.int()) };

export const TrackTurn = z.object({ ...stretch, how: z.optional(TurnEnd), words: z.optional(z.string()), calls: z.int() });
export type TrackTurn = z.infer<typeof TrackTurn>;
export const TrackCall = z.object({ ...stretch, id: z.string(), what: z.string(), failed: z.optional(z.boolean()), denied: z.optional(z.boolean()) });
export type TrackCall = z.infer<typeof TrackCall>;
/** `call` is the call that could not run before. */
export const TrackWait = z.object({ ...stretch, id: z.string(), what: z.string(), how: z.optional(Outcome), call: z.optional(z.string()) });
export type TrackWait = z.infer<typeof TrackWait>;
export const TrackRest = z.object({ ...stretch, how: z.enum(['sleeping', 'ended', 'failed']), why: z.string() });
export type TrackRest = z.infer<typeof TrackRest>;
export const TrackCompaction = z.object({ ...moment, before: z.optional(z.int()), after: z.optional(z.int()) });
export type TrackCompaction = z.infer<typeof TrackCompaction>;

/** What one session did recently, oldest first. */
export const Track = z.object({
  /** The last event that moved it. */
  seq: z.int(),
  /** Nothing before this time is known. */
  from: z.int(),
  bornAt: z.optional(z.int()),
  /** The session that it was forked from. */
  parent: z.optional(SessionId),
  status: z.optional(z.object({ status: Status, seq: z.int(), at: z.int() })),
  turns: z.array(TrackTurn),
  calls: z.array(TrackCall),
  waits: z.array(TrackWait),
  rests: z.array(TrackRest),
  compactions: z.array(TrackCompaction),
  todo: z.optional(TodoCount),
});
export type Track = z.infer<typeof Track>;

export const PanelQuery = z.object({ since: z.optional(z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'not a time'))) });

/** `now` is the server's time; all times in the answer refer to its clock. */
export const PanelAnswer = z.object({ now: z.int(), tracks: z.array(z.object({ sessionId: SessionId, track: Track })) });
export type PanelAnswer = z.infer<typeof PanelAnswer>;

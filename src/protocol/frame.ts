import * as z from 'zod/mini';
import { Actor, Role } from './actor.ts';
import { IndexProgress } from './api/archive.ts';
import { MachineList } from './api/machines.ts';
import { Move } from './api/panel.ts';
import type { PlanNews, PlanState } from './api/plan.ts';
import { Problem } from './api/problem.ts';
import { AnswerBody, InputBody } from './command.ts';
import { Event } from './event.ts';
import { WaitingPermission } from './http.ts';
import { CommandId, RequestId, SessionId } from './ids.ts';
import { PlanId } from './plan.ts';
import { SeenMarks } from './seen.ts';
import { Session, Status } from './session.ts';

/** The revision of the frames; a peer with another one gets an error and is closed with 4400. */
export const FRAME_REVISION = 1;

export const CLOSE_CODES = { revision: 4400, unauthorised: 4401, forbidden: 4403, slow: 4408, tooLarge: 1009, goingAway: 1001 } as const;

const subscribable = z.union([SessionId, z.literal('*')]);

export const ClientFrame = z.discriminatedUnion('type', [
  /** `key`: that of the sign-in, from a page; such a socket accepts nothing else first. */
  z.object({ type: z.literal('hello'), v: z.int(), key: z.optional(z.string().check(z.maxLength(200))) }),
  z.object({ type: z.literal('subscribe'), sessionId: subscribable, after: z.optional(z.int().check(z.minimum(0))) }),
  z.object({ type: z.literal('unsubscribe'), sessionId: subscribable }),
  z.object({ type: z.literal('input'), sessionId: SessionId, commandId: CommandId, ...InputBody.shape }),
  z.object({ type: z.literal('interrupt'), sessionId: SessionId, commandId: CommandId }),
  z.object({ type: z.literal('permission'), requestId: RequestId, commandId: CommandId, ...AnswerBody.shape }),
  z.object({ type: z.literal('ping') }),
]);
export type ClientFrame = z.infer<typeof ClientFrame>;

/** Text in progress of one item, starting at `offset`. */
export const Delta = z.object({
  itemId: z.string(),
  messageId: z.string(),
  index: z.int(),
  kind: z.enum(['text', 'thinking', 'tool_input']),
  text: z.string(),
  offset: z.int(),
  toolName: z.optional(z.string()),
  parentToolUseId: z.optional(z.string()),
});
export type Delta = z.infer<typeof Delta>;

/** Who the client is, according to the server. */
export const You = z.object({ id: z.string(), name: z.string(), role: Role });
export type You = z.infer<typeof You>;

/** How a pending request ended, as in its `permission.resolved` event. */
export const ResolvedRequest = z.object({
  requestId: RequestId,
  outcome: z.enum(['allowed', 'denied', 'cancelled', 'lapsed']),
  by: z.optional(Actor),
  at: z.string(),
  message: z.optional(z.string()),
  /** It was allowed with different arguments than the agent requested. */
  changed: z.optional(z.boolean()),
});
export type ResolvedRequest = z.infer<typeof ResolvedRequest>;

/** Not checked by the page, whose first script would otherwise have the schema of a whole plan. */
const unchecked = <T>() => z.custom<T>();

export const ServerFrame = z.discriminatedUnion('type', [
  z.object({ type: z.literal('welcome'), v: z.int(), serverId: z.string(), you: z.optional(You) }),
  z.object({
    type: z.literal('snapshot'),
    sessionId: SessionId,
    session: Session,
    events: z.array(Event),
    /** The first seq of `events`; earlier ones are fetched with `before=`. */
    firstSeq: z.int(),
    seq: z.int(),
    partial: z.array(Delta),
  }),
  /** Answer to `subscribe` with the stream of a plan, `_plan-<id>`: the plan as it is; then come its events. */
  z.object({ type: z.literal('plan'), sessionId: SessionId, plan: unchecked<PlanState>(), seq: z.int() }),
  /** To list subscribers: plans that changed. With `reset`, these are all plans that are open or changed recently. */
  z.object({ type: z.literal('plans'), reset: z.optional(z.literal(true)), plans: z.array(unchecked<PlanNews>()), removed: z.optional(z.array(PlanId)) }),
  z.object({ type: z.literal('event'), sessionId: SessionId, seq: z.int(), event: Event }),
  z.object({ type: z.literal('delta'), sessionId: SessionId, ...Delta.shape }),
  z.object({ type: z.literal('delta.dropped'), sessionId: SessionId, itemId: z.string() }),
  z.object({ type: z.literal('status'), sessionId: SessionId, status: Status, session: z.optional(Session), deleted: z.optional(z.boolean()) }),
  /** Answer to `subscribe '*'`: all sessions. */
  z.object({ type: z.literal('sessions'), sessions: z.array(Session) }),
  z.object({ type: z.literal('ack'), commandId: CommandId, sessionId: SessionId, seq: z.int(), queued: z.optional(z.boolean()) }),
  z.object({ type: z.literal('refused'), commandId: z.optional(CommandId), sessionId: z.optional(z.string()), code: z.string(), message: z.string() }),
  /** This client was too slow and its deltas were dropped: subscribe again with the last seq it has. */
  z.object({ type: z.literal('resubscribe'), sessionId: SessionId }),
  z.object({ type: z.literal('notice'), level: z.enum(['info', 'warning', 'error']), code: z.string(), text: z.string() }),
  /** What doesn't work on the server now and is retried; sent after every welcome and with every change. */
  z.object({ type: z.literal('problems'), problems: z.array(Problem) }),
  /** To list subscribers: how much of all records has been read. */
  z.object({ type: z.literal('index'), ...IndexProgress.shape }),
  /** To list subscribers: the moves of a session, for the panel. Missed ones are fetched with `GET /api/panel`. */
  z.object({ type: z.literal('activity'), sessionId: SessionId, moves: z.array(Move) }),
  /**
   * To list subscribers: new pending requests for this person, and requests that are no longer pending. With `reset`, `added` is every
   * pending request and replaces what the client had; `resolved` then has recent decisions, so that a page that was offline can say how they ended.
   */
  z.object({ type: z.literal('waiting'), reset: z.optional(z.literal(true)), added: z.array(WaitingPermission), resolved: z.array(ResolvedRequest) }),
  /** To list subscribers: the machines of the cluster, whenever one comes, goes or changes. Absent without a cluster. */
  z.object({ type: z.literal('machines'), machines: MachineList }),
  /** To list subscribers: up to where this person has seen sessions. With `reset`, all marks; otherwise the changed ones, for every page of that person. */
  z.object({ type: z.literal('seen'), reset: z.optional(z.literal(true)), ...SeenMarks.shape }),
  z.object({ type: z.literal('pong') }),
]);
export type ServerFrame = z.infer<typeof ServerFrame>;

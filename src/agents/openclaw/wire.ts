import * as z from 'zod/mini';

/** What the Gateway (2026.9.6, protocol 4) was seen to send, as passed on by the keeper and as far as we read it. All are loose: each version adds fields. */

const text = z.string();
const maybe = z.nullish(text);

/** Lines from the keeper itself. */
export const KeeperLine = z.looseObject({ type: z.literal('keeper'), phase: text, text: z.optional(text), version: z.optional(text) });
export type KeeperLine = z.infer<typeof KeeperLine>;

export const Response = z.looseObject({
  type: z.literal('res'),
  id: text,
  ok: z.boolean(),
  payload: z.optional(z.unknown()),
  error: z.nullish(z.looseObject({ message: text })),
});
export type Response = z.infer<typeof Response>;

export const EventLine = z.looseObject({ type: z.literal('event'), event: text, payload: z.looseObject({}) });

/** The answer to `sessions.create`. */
export const Created = z.looseObject({ key: text, sessionId: text });
/** To `sessions.resolve`. */
export const Resolved = z.looseObject({ ok: z.boolean(), key: z.optional(text) });
/** To `chat.history`, as far as it describes the conversation itself. A session's row doesn't say which runs are active (2026.9.6). */
export const Described = z.looseObject({
  sessionId: maybe,
  inFlightRun: z.nullish(z.looseObject({ runId: text })),
  sessionInfo: z.nullish(z.looseObject({ activeRunIds: z.nullish(z.array(text)) })),
});
/** To `sessions.patch`. */
export const Patched = z.looseObject({
  key: text,
  entry: z.looseObject({ sessionId: text, permissionMode: maybe, thinkingLevel: maybe, spawnedCwd: maybe }),
  resolved: z.nullish(z.looseObject({ modelProvider: maybe, model: maybe })),
});
export type Patched = z.infer<typeof Patched>;
/** To `models.list`. */
export const Models = z.looseObject({ models: z.array(z.looseObject({ id: text, provider: text, name: maybe })) });
/** To `chat.send`. */
export const Sent = z.looseObject({ status: text, summary: maybe });
/** To `chat.abort`. */
export const Aborted = z.looseObject({ aborted: z.boolean() });
/** To `chat.history`. */
export const History = z.looseObject({ messages: z.array(z.looseObject({})) });

export const AgentEvent = z.looseObject({ runId: text, stream: text, sessionId: maybe, data: z.looseObject({}) });
export type AgentEvent = z.infer<typeof AgentEvent>;

/** A part of a text. The keeper replaces the complete text with its length. */
export const Piece = z.looseObject({ delta: text, chars: z.int(), itemId: z.optional(text), replace: z.optional(z.boolean()) });
export const Item = z.looseObject({ kind: text, phase: text, itemId: z.optional(text), progressText: z.optional(text) });
export const Tool = z.looseObject({
  phase: text,
  name: text,
  toolCallId: text,
  args: z.optional(z.looseObject({})),
  isError: z.optional(z.boolean()),
  result: z.optional(z.unknown()),
});
export type Tool = z.infer<typeof Tool>;
export const Lifecycle = z.looseObject({ phase: text, error: z.optional(text), provider: maybe, executionSettled: z.optional(z.boolean()) });
export const Compaction = z.looseObject({ phase: text });

export const ChatEvent = z.looseObject({
  runId: text,
  state: text,
  stopReason: maybe,
  errorMessage: maybe,
  errorDetail: z.nullish(z.looseObject({ providerErrorMessagePreview: maybe, httpStatus: z.nullish(z.number()) })),
  /** Set by the keeper: there is an answer, which arrives as a separate message. */
  hasMessage: z.optional(z.boolean()),
});
export type ChatEvent = z.infer<typeof ChatEvent>;

const Meta = z.looseObject({ id: z.optional(text), runId: maybe, recordTimestampMs: z.optional(z.number()), truncated: z.optional(z.boolean()) });
/** A stored message; its own fields are those of Pi's format. */
export const Row = z.looseObject({ role: text, idempotencyKey: maybe, stopReason: maybe, __openclaw: z.optional(Meta) });
export type Row = z.infer<typeof Row>;
/** To `chat.message.get`. */
export const Fetched = z.looseObject({ ok: z.boolean(), message: z.optional(Row) });
export const SessionMessage = z.looseObject({ sessionId: maybe, messageId: text, message: Row, contextTokens: z.nullish(z.number()) });

export const ExecRequested = z.looseObject({
  id: text,
  request: z.looseObject({
    command: text,
    cwd: maybe,
    warningText: maybe,
    toolCallId: maybe,
    resolvedPath: maybe,
    host: maybe,
    allowedDecisions: z.nullish(z.array(text)),
  }),
});
export type ExecRequested = z.infer<typeof ExecRequested>;
export const ExecResolved = z.looseObject({ id: text, resolvedBy: maybe });

/** Sent for every kind of approval; commands are also sent separately, with more details. */
export const AnyApproval = z.looseObject({
  phase: text,
  approval: z.looseObject({ id: text, presentation: z.looseObject({ kind: text }) }),
});
export type AnyApproval = z.infer<typeof AnyApproval>;

import * as z from 'zod/mini';

/**
 * The messages that `codex app-server` was seen to send (0.166.0), as far as we read them. All are loose: each version adds fields. A test checks
 * every method and item named here against the schema that the binary generates.
 */

const text = z.string();
const maybe = z.nullish(text);
const count = z.number();

/** The answer to `initialize`: `<client>/<version of Codex> (…)`. */
export const HandshakeResult = z.looseObject({ userAgent: text });

export const Models = z.looseObject({ data: z.array(z.looseObject({ model: text, displayName: maybe, hidden: z.optional(z.boolean()) })) });

export const Sandbox = z.looseObject({ type: text, writableRoots: z.optional(z.array(text)), networkAccess: z.optional(z.unknown()) });

/** The answer to `thread/start`, `thread/resume` and `thread/fork`. */
export const Opened = z.looseObject({
  thread: z.looseObject({ id: text }),
  model: maybe,
  modelProvider: maybe,
  cwd: text,
  approvalPolicy: z.unknown(),
  sandbox: z.nullish(Sandbox),
  reasoningEffort: maybe,
});
export type Opened = z.infer<typeof Opened>;

/** The answer to `turn/start`. */
export const Started = z.looseObject({ turn: z.looseObject({ id: text }) });

const Problem = z.looseObject({ message: text, additionalDetails: maybe });

export const TurnStarted = z.looseObject({ threadId: text, turn: z.looseObject({ id: text }) });
export const TurnCompleted = z.looseObject({ threadId: text, turn: z.looseObject({ id: text, status: text, error: z.nullish(Problem) }) });
export type TurnCompleted = z.infer<typeof TurnCompleted>;

export const Failure = z.looseObject({ threadId: text, error: Problem, willRetry: z.optional(z.boolean()) });

const Change = z.looseObject({ path: text, kind: z.looseObject({ type: text, move_path: maybe }), diff: text });
export type Change = z.infer<typeof Change>;

/** Fields of every kind of item; which ones are there depends on its type. */
export const Item = z.looseObject({
  type: text,
  id: text,
  clientId: maybe,
  content: z.optional(z.unknown()),
  text: z.optional(text),
  summary: z.optional(z.array(text)),
  command: z.optional(text),
  cwd: maybe,
  status: maybe,
  aggregatedOutput: maybe,
  exitCode: z.nullish(z.int()),
  changes: z.optional(z.array(Change)),
  server: z.optional(text),
  tool: z.optional(text),
  arguments: z.optional(z.unknown()),
  result: z.optional(z.unknown()),
  contentItems: z.optional(z.unknown()),
  success: z.nullish(z.boolean()),
  error: z.nullish(z.unknown()),
  query: maybe,
});
export type Item = z.infer<typeof Item>;

export const ItemLine = z.looseObject({ threadId: text, turnId: maybe, item: Item });
export type ItemLine = z.infer<typeof ItemLine>;

export const Delta = z.looseObject({ threadId: text, itemId: text, delta: text });
export const SummaryPart = z.looseObject({ threadId: text, itemId: text, summaryIndex: z.int() });

const Tokens = z.looseObject({
  totalTokens: count,
  inputTokens: count,
  cachedInputTokens: count,
  cacheWriteInputTokens: z.optional(count),
  outputTokens: count,
});
export type Tokens = z.infer<typeof Tokens>;
export const TokenUsage = z.looseObject({
  threadId: text,
  tokenUsage: z.looseObject({ total: Tokens, last: Tokens, modelContextWindow: z.nullish(count) }),
});

export const Warning = z.looseObject({ message: text });
export const ConfigWarning = z.looseObject({ summary: text, details: maybe });
export const Rerouted = z.looseObject({ threadId: text, toModel: text, reason: z.optional(z.unknown()) });
export const Resolved = z.looseObject({ requestId: z.union([text, count]) });

export const CommandApproval = z.looseObject({
  itemId: text,
  reason: maybe,
  command: maybe,
  cwd: maybe,
  networkApprovalContext: z.optional(z.unknown()),
  proposedExecpolicyAmendment: z.nullish(z.array(text)),
});
export type CommandApproval = z.infer<typeof CommandApproval>;

/** A call of one of our own tools. */
export const ToolCall = z.looseObject({ callId: text, tool: text, arguments: z.optional(z.unknown()) });

export const FileApproval = z.looseObject({ itemId: text, reason: maybe, grantRoot: maybe });

export const UserQuestions = z.looseObject({
  itemId: text,
  questions: z.array(
    z.looseObject({ id: text, header: maybe, question: text, options: z.nullish(z.array(z.looseObject({ label: text, description: maybe }))) }),
  ),
});

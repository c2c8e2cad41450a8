import * as z from 'zod/mini';

/** A message as Pi and its relatives write it, on the wire and in their session files. All are loose: each version adds fields. */

const text = z.string();
const amount = z.nullish(z.number());

export const PiUsage = z.looseObject({
  input: amount,
  output: amount,
  cacheRead: amount,
  cacheWrite: amount,
  totalTokens: amount,
  cost: z.nullish(z.looseObject({ total: amount })),
});
export type PiUsage = z.infer<typeof PiUsage>;

export const PiTextBlock = z.looseObject({ type: z.literal('text'), text });
export const PiThinkingBlock = z.looseObject({ type: z.literal('thinking'), thinking: text });
export const PiToolCallBlock = z.looseObject({ type: z.literal('toolCall'), id: text, name: text, arguments: z.record(text, z.unknown()) });
export const PiImageBlock = z.looseObject({ type: z.literal('image'), data: text, mimeType: text });

const PiContent = z.union([text, z.array(z.looseObject({ type: text }))]);
export type PiContent = z.infer<typeof PiContent>;

export const PiUserMessage = z.looseObject({ role: z.literal('user'), content: PiContent, timestamp: z.optional(z.number()) });
export type PiUserMessage = z.infer<typeof PiUserMessage>;

export const PiAssistantMessage = z.looseObject({
  role: z.literal('assistant'),
  content: z.array(z.looseObject({ type: text })),
  provider: z.optional(text),
  model: z.optional(text),
  usage: z.nullish(PiUsage),
  /** stop, length, toolUse, error, aborted. */
  stopReason: z.nullish(text),
  errorMessage: z.nullish(text),
  timestamp: z.optional(z.number()),
});
export type PiAssistantMessage = z.infer<typeof PiAssistantMessage>;

export const PiToolResult = z.looseObject({
  role: z.literal('toolResult'),
  toolCallId: text,
  toolName: text,
  content: z.optional(PiContent),
  details: z.optional(z.unknown()),
  isError: z.optional(z.boolean()),
  timestamp: z.optional(z.number()),
});
export type PiToolResult = z.infer<typeof PiToolResult>;

/** A shell line that a person ran. */
export const PiBashExecution = z.looseObject({
  role: z.literal('bashExecution'),
  command: text,
  output: text,
  exitCode: amount,
  cancelled: z.optional(z.boolean()),
  timestamp: z.optional(z.number()),
});
export type PiBashExecution = z.infer<typeof PiBashExecution>;

/** What an extension, a compaction or a change of branch puts into the context; `hookMessage` is the name before version 3. */
export const PiInsertedMessage = z.looseObject({
  role: z.enum(['custom', 'hookMessage', 'branchSummary', 'compactionSummary']),
  content: z.optional(PiContent),
  summary: z.optional(text),
  display: z.optional(z.boolean()),
  timestamp: z.optional(z.number()),
});

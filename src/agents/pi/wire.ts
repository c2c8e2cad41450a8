import * as z from 'zod/mini';
import { text as isText, object, optional } from '../formats/shape.ts';

/**
 * The lines that Pi was seen to print in its RPC mode (0.73.1 and 0.87.1), as far as we read them.
 * All are loose: each version adds fields, and an unknown field is no reason to reject a line.
 */

const text = z.string();
const maybe = z.nullish(text);

export const AnyLine = z.looseObject({});

/** The answer to a request. It has no id when the command is unknown or the line isn't JSON. */
export const Response = z.looseObject({ id: z.optional(text), command: text, success: z.boolean(), data: z.optional(z.unknown()), error: maybe });
export type Response = z.infer<typeof Response>;

export const Model = z.looseObject({ id: text, provider: text, name: z.optional(text), contextWindow: z.nullish(z.number()) });

export const AgentState = z.looseObject({
  model: z.nullish(Model),
  thinkingLevel: z.optional(text),
  isStreaming: z.boolean(),
  isCompacting: z.optional(z.boolean()),
  sessionId: text,
});
export type AgentState = z.infer<typeof AgentState>;

export const Models = z.looseObject({ models: z.array(Model) });
export const Commands = z.looseObject({ commands: z.array(z.looseObject({ name: text, description: maybe })) });
export const ShellResult = z.looseObject({ output: text, exitCode: z.nullish(z.number()), cancelled: z.optional(z.boolean()) });

export const MessageLine = z.looseObject({ message: z.looseObject({ role: text }) });

/** Newer versions name the tool in the event; older ones only in the complete message next to it. */
export const MessageUpdate = z.looseObject({
  assistantMessageEvent: z.looseObject({
    type: text,
    contentIndex: z.optional(z.int()),
    delta: z.optional(text),
    id: z.optional(text),
    toolName: z.optional(text),
    partial: z.optional(z.looseObject({ content: z.array(z.looseObject({ type: text, id: z.optional(text), name: z.optional(text) })) })),
  }),
});
export type MessageUpdate = z.infer<typeof MessageUpdate>;

/** `willRetry` was added together with `agent_settled`: a version that prints it also says when everything is over. */
export const AgentEnd = z.looseObject({ willRetry: z.optional(z.boolean()) });

export const CompactionEnd = z.looseObject({
  reason: text,
  result: z.nullish(
    z.looseObject({
      summary: z.optional(text),
      firstKeptEntryId: maybe,
      tokensBefore: z.nullish(z.number()),
      estimatedTokensAfter: z.nullish(z.number()),
    }),
  ),
  aborted: z.optional(z.boolean()),
  errorMessage: maybe,
});

export const RetryStart = z.looseObject({ attempt: z.int(), maxAttempts: z.optional(z.int()), delayMs: z.optional(z.number()), errorMessage: maybe });
export const ThinkingChanged = z.looseObject({ level: text });
export const ExtensionError = z.looseObject({ extensionPath: maybe, error: z.optional(text) });

export const Dialog = z.looseObject({
  id: text,
  method: text,
  title: z.optional(text),
  message: z.optional(text),
  options: z.optional(z.array(text)),
  placeholder: maybe,
  prefill: maybe,
  notifyType: maybe,
  statusKey: z.optional(text),
  statusText: maybe,
});
export type Dialog = z.infer<typeof Dialog>;

/** What our extension reports through `setStatus`. */
export const GateStatus = z.looseObject({
  mode: z.enum(['default', 'acceptEdits', 'bypassPermissions']),
  tools: z.array(text),
  version: z.optional(text),
});

/** What our extension asks, in the title of its dialog. */
export const GateQuestion = z.looseObject({ toolCallId: text, tool: text, input: z.record(text, z.unknown()) });

/** What our extension writes into every user message: which input of ours it is, if any. */
export const isStamp = object<{ readonly input: string | undefined }>({ input: optional(isText) });

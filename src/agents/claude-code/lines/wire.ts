import * as z from 'zod/mini';
import type { ItemId } from '../../../protocol/ids.ts';
import { isObject } from '../../formats/shape.ts';

/**
 * The lines that Claude Code was seen to print (2.1.197 and 2.1.325), as far as we read them.
 * All are loose: each version adds fields, and an unknown field is no reason to reject a line.
 */

export const json = z.record(z.string(), z.unknown());
export const text = z.string();
export const maybeText = z.nullish(text);

export const envelope = {
  uuid: z.optional(text),
  timestamp: z.optional(text),
  parent_tool_use_id: maybeText,
};

export interface Envelope {
  readonly uuid?: string | undefined;
  readonly timestamp?: string | undefined;
}

/** The fields that every observation copies from its line. */
export const stamp = (line: Envelope) => ({
  ...(line.uuid === undefined ? {} : { uuid: line.uuid }),
  ...(line.timestamp === undefined ? {} : { agentAt: line.timestamp }),
});

/** The CLI's ids are short tokens; the brand only says what they are used for. */
export const itemOf = (id: string): ItemId => id as ItemId;

export const ApiUsage = z.looseObject({
  input_tokens: z.nullish(z.number()),
  output_tokens: z.nullish(z.number()),
  cache_creation_input_tokens: z.nullish(z.number()),
  cache_read_input_tokens: z.nullish(z.number()),
});
export type ApiUsage = z.infer<typeof ApiUsage>;

export const Assistant = z.looseObject({
  ...envelope,
  message: z.looseObject({ id: text, model: z.optional(text), content: z.array(z.looseObject({ type: text })), usage: z.optional(ApiUsage) }),
  error: z.optional(text),
  aborted: z.optional(z.boolean()),
});
export type Assistant = z.infer<typeof Assistant>;

export const User = z.looseObject({
  ...envelope,
  message: z.looseObject({ content: z.union([text, z.array(z.looseObject({ type: text }))]) }),
  isReplay: z.optional(z.boolean()),
  isSynthetic: z.optional(z.boolean()),
  tool_use_result: z.optional(z.unknown()),
});
export type User = z.infer<typeof User>;

const count = z.optional(z.number());
const ModelUsage = z.record(
  text,
  z.looseObject({
    inputTokens: count,
    outputTokens: count,
    cacheReadInputTokens: count,
    cacheCreationInputTokens: count,
    costUSD: count,
    contextWindow: count,
  }),
);
export type ModelUsage = z.infer<typeof ModelUsage>;

export const Result = z.looseObject({
  ...envelope,
  subtype: text,
  is_error: z.boolean(),
  stop_reason: maybeText,
  terminal_reason: z.optional(text),
  duration_ms: z.optional(z.number()),
  total_cost_usd: z.optional(z.number()),
  usage: z.optional(ApiUsage),
  modelUsage: z.optional(ModelUsage),
  model_usage_since_last_result: z.optional(ModelUsage),
  permission_denials: z.optional(z.array(z.unknown())),
  result: z.optional(text),
  errors: z.optional(z.array(text)),
  origin: z.optional(z.looseObject({ kind: text })),
});
export type Result = z.infer<typeof Result>;

export const MessageStart = z.looseObject({ parent_tool_use_id: maybeText, event: z.looseObject({ message: z.looseObject({ id: text }) }) });
export const BlockStart = z.looseObject({
  parent_tool_use_id: maybeText,
  event: z.looseObject({
    index: z.int(),
    content_block: z.looseObject({ type: text, id: z.optional(text), name: z.optional(text), text: z.optional(text), thinking: z.optional(text) }),
  }),
});
export const MessageDelta = z.looseObject({ parent_tool_use_id: maybeText, event: z.looseObject({ usage: z.optional(ApiUsage) }) });

export const CanUseTool = z.looseObject({
  request_id: text,
  request: z.looseObject({
    tool_name: text,
    input: json,
    tool_use_id: z.optional(text),
    description: z.optional(text),
    permission_suggestions: z.nullish(z.array(json)),
    agent_id: z.optional(text),
  }),
});
export const UserDialog = z.looseObject({
  request_id: text,
  request: z.looseObject({ dialog_kind: text, payload: z.optional(json), tool_use_id: z.optional(text) }),
});
export const ControlRequest = z.looseObject({ request_id: text, request: z.looseObject({ subtype: text }) });
export const ControlCancel = z.looseObject({ request_id: text });
const Response = z.looseObject({ subtype: text, request_id: z.optional(text), response: z.nullish(json), error: z.optional(text) });
export type Response = z.infer<typeof Response>;
export const ControlResponse = z.looseObject({ response: Response });
export const ModelReply = z.looseObject({ model: text });
export const ModeReply = z.looseObject({ mode: text });
export const RewindReply = z.looseObject({
  canRewind: z.boolean(),
  filesChanged: z.optional(z.array(text)),
  insertions: z.optional(z.int()),
  deletions: z.optional(z.int()),
  error: z.optional(text),
});
export const Handshake = z.looseObject({
  commands: z.array(z.looseObject({ name: text, description: z.optional(text), argumentHint: z.optional(text) })),
  models: z.array(z.looseObject({ value: text, displayName: z.optional(text), resolvedModel: z.optional(text), supportsThinkingOff: z.optional(z.boolean()) })),
});

/** One part of a streamed block, as the hot path needs it. */
export interface DeltaLine {
  readonly parent_tool_use_id?: string | null;
  readonly event: { readonly index: number; readonly delta: Readonly<Record<string, unknown>> };
}

/** Checked by hand, because a fast stream prints twenty thousand of these a second and a schema would copy each. */
export function isDeltaLine(value: Readonly<Record<string, unknown>>): value is Readonly<Record<string, unknown>> & DeltaLine {
  if (value.type !== 'stream_event') return false;
  const event = value.event;
  if (!isObject(event) || event.type !== 'content_block_delta' || typeof event.index !== 'number' || !isObject(event.delta)) return false;
  const parent = value.parent_tool_use_id;
  return parent === undefined || parent === null || typeof parent === 'string';
}

/** The text of a delta; undefined for anything else (a signature, a citation). */
export function pieceIn(delta: Readonly<Record<string, unknown>>): string | undefined {
  const piece = delta.text ?? delta.thinking ?? delta.partial_json;
  return typeof piece === 'string' ? piece : undefined;
}

/** A value as JSON. Thousands of nested brackets can be parsed but not printed again. */
export function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '(nested too deeply to be shown)';
  }
}

import * as z from 'zod/mini';
import { ContextItem } from '../../command.ts';
import { AgentId, CommandId, SessionId } from '../../ids.ts';

/** The longest that one request waits for something to happen. */
export const WAIT_MAX_MS = 60_000;

/** Made by the hook, which uses the same one when it asks again. */
export const AskId = z.string().check(z.regex(/^[\w-]{8,64}$/, 'an ask id is 8 to 64 letters, digits, "_" or "-"'));

/** What a hook was given by its agent, unchanged. */
export const HookBody = z.object({
  agent: AgentId,
  askId: AskId,
  payload: z.record(z.string(), z.unknown()),
  /** When the agent is done: how long to wait for a message. */
  stayMs: z.optional(z.int().check(z.gte(0), z.lte(WAIT_MAX_MS))),
});
export type HookBody = z.infer<typeof HookBody>;

/** `output` is what the hook prints. */
export const HookReply = z.object({ sessionId: z.optional(SessionId), output: z.optional(z.string()) });
export type HookReply = z.infer<typeof HookReply>;

export const HookAnswer = z.object({ state: z.enum(['open', 'answered', 'closed']), output: z.optional(z.string()) });
export type HookAnswer = z.infer<typeof HookAnswer>;

export const HookStatus = z.object({ version: z.string(), waiting: z.int() });

/** One queued message, lent for 30 seconds. */
export const PolledInput = z.object({
  commandId: CommandId,
  text: z.string(),
  images: z.optional(z.array(z.object({ mediaType: z.string(), base64: z.string() }))),
  context: z.optional(z.array(ContextItem)),
});

export const AckBody = z.object({ commandId: CommandId });

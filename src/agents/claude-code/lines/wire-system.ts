import * as z from 'zod/mini';
import { envelope, json, maybeText, text } from './wire.ts';

/** Lines about the session, its tasks and its environment, as far as we read them; loose like those in wire.ts. */

export const Init = z.looseObject({
  ...envelope,
  session_id: text,
  cwd: text,
  model: text,
  permissionMode: text,
  tools: z.array(text),
  mcp_servers: z.array(z.looseObject({ name: text, status: text })),
  slash_commands: z.optional(z.array(text)),
  claude_code_version: z.optional(text),
  capabilities: z.optional(z.array(text)),
  user_message_uuids: z.optional(z.array(text)),
});
export type Init = z.infer<typeof Init>;

export const Status = z.looseObject({ ...envelope, permissionMode: z.optional(text), compact_result: z.optional(text), compact_error: z.optional(text) });

export const ApiRetry = z.looseObject({
  ...envelope,
  attempt: z.int(),
  max_retries: z.optional(z.int()),
  retry_delay_ms: z.optional(z.number()),
  error_status: z.nullish(z.number()),
  error: text,
});
export const ModelSwitch = z.looseObject({ ...envelope, fallback_model: text, content: text });
export const Content = z.looseObject({ ...envelope, content: text, level: z.optional(text) });
export const Notification = z.looseObject({ ...envelope, text, priority: z.optional(text) });
export const CompactBoundary = z.looseObject({
  ...envelope,
  compact_metadata: z.looseObject({ trigger: text, pre_tokens: z.optional(z.int()), post_tokens: z.optional(z.int()) }),
});
export const PermissionDenied = z.looseObject({ ...envelope, tool_name: text, tool_use_id: text, message: text });
export const HookResponse = z.looseObject({
  ...envelope,
  hook_name: text,
  hook_event: text,
  output: z.optional(text),
  exit_code: z.nullish(z.int()),
  outcome: z.optional(text),
});

export const TaskStarted = z.looseObject({
  ...envelope,
  task_id: text,
  tool_use_id: maybeText,
  description: z.optional(text),
  task_type: z.optional(text),
  prompt: z.optional(text),
});
export const TaskProgress = z.looseObject({ ...envelope, task_id: text, tool_use_id: maybeText, description: z.optional(text), usage: z.optional(json) });
export const TaskUpdated = z.looseObject({
  ...envelope,
  task_id: text,
  patch: z.looseObject({ status: z.optional(text), description: z.optional(text), error: z.optional(text) }),
});
export const TaskNotification = z.looseObject({
  ...envelope,
  task_id: text,
  tool_use_id: maybeText,
  status: text,
  summary: z.optional(text),
  usage: z.optional(json),
});

export const CommandLifecycle = z.looseObject({ ...envelope, command_uuid: text });
export const PromptSuggestion = z.looseObject({ ...envelope, suggestion: text });
export const RateLimit = z.looseObject({
  ...envelope,
  rate_limit_info: z.looseObject({ status: text, resetsAt: z.optional(z.number()), rateLimitType: z.optional(text) }),
});
export const AuthStatus = z.looseObject({ ...envelope, output: z.optional(z.array(text)), error: z.optional(text) });
export const ToolUseSummary = z.looseObject({ ...envelope, summary: text });
export const MirrorError = z.looseObject({ ...envelope, error: text });
export const WritesLost = z.looseObject({ ...envelope, error_code: text });
export const ShuttingDown = z.looseObject({ ...envelope, reason: text });
export const PluginInstall = z.looseObject({ ...envelope, status: text, name: z.optional(text), error: z.optional(text) });

export const VcsStateChanged = z.looseObject({ ...envelope, kind: text, branch: z.optional(text), cwd: z.optional(text) });
export const CodeChangePublished = z.looseObject({
  ...envelope,
  provider: z.optional(text),
  url: text,
  repo: text,
  identifier: text,
  action: z.optional(text),
  branch: z.optional(text),
});
export const TitleChanged = z.looseObject({ ...envelope, title: text });

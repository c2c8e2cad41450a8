import * as z from 'zod/mini';
import { ownProperty } from '../formats/fold.ts';
import type { AgentHooks, HookCall, HookRegistration } from '../port/hooks.ts';
import { KINDS } from './lines/control.ts';
import { answerOf } from './lines/encode.ts';
import { subjectOf } from './lines/subject.ts';
import { homeOf } from './records/session-file.ts';
import { withMessageId } from './records/stop-feedback.ts';

const on = (event: string, does: HookRegistration['does'], timeoutSeconds: number): HookRegistration => ({ path: ['hooks', event], does, timeoutSeconds });

/** Longer than anybody takes to answer; the dialog in the terminal is there meanwhile. Without it, the CLI would end the hook after a minute. */
const DAY_S = 86_400;
const SHORT_S = 10;

export const hooks: AgentHooks = {
  settingsFile: (env) =>
    `${homeOf({ HOME: env.HOME ?? '', ...(env.CLAUDE_CONFIG_DIR !== undefined && { CLAUDE_CONFIG_DIR: env.CLAUDE_CONFIG_DIR }) })}/settings.json`,
  registrations: [
    // Not PreToolUse: that runs before every call and delays it.
    on('PermissionRequest', 'ask', DAY_S),
    on('PostToolUse', 'ran', SHORT_S),
    on('PostToolUseFailure', 'ran', SHORT_S),
    on('Stop', 'stop', DAY_S),
    on('SessionStart', 'tell', SHORT_S),
    on('SessionEnd', 'tell', SHORT_S),
    on('Notification', 'tell', SHORT_S),
  ],
  entry: (command, timeout) => ({ hooks: [{ type: 'command', command, timeout }] }),
  limits: [
    'Claude Code 2.1.325 starts in auto mode, in which it never asks, so nothing comes to Signalbox. Start it with --permission-mode default, or switch the mode with shift+tab.',
    'Claude Code 2.1.197 reads new hooks only when it starts: restart sessions that were open before.',
  ],
  obstacle: (settings) => {
    const found = z.safeParse(Obstacles, settings);
    if (!found.success) return undefined;
    if (found.data.disableAllHooks === true) return '"disableAllHooks" is true in this file, so no hook runs.';
    const mode = found.data.permissions?.defaultMode;
    return mode === 'auto' || mode === 'bypassPermissions' ? `"permissions.defaultMode" is "${mode}" in this file: Claude Code then never asks.` : undefined;
  },
  read,
  decision: (verdict, input) => JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: answerOf(verdict, input) } }),
  message: (text, messageId) => JSON.stringify({ decision: 'block', reason: withMessageId(text, messageId) }),
};

const Obstacles = z.looseObject({
  disableAllHooks: z.optional(z.boolean()),
  permissions: z.optional(z.looseObject({ defaultMode: z.optional(z.string()) })),
});

const Any = z.looseObject({ session_id: z.string().check(z.regex(/^[\w-]{1,100}$/)), hook_event_name: z.string() });
const Call = z.looseObject({ tool_name: z.string().check(z.maxLength(300)), tool_input: z.record(z.string(), z.unknown()) });
const Asked = z.looseObject({ permission_suggestions: z.optional(z.array(z.record(z.string(), z.unknown()))) });
const Notice = z.looseObject({ message: z.optional(z.string()), notification_type: z.optional(z.string()) });

/** Seen with 2.1.197 and 2.1.325, which give the same fields. */
function read(payload: unknown): HookCall | undefined {
  const any = z.safeParse(Any, payload);
  if (!any.success) return undefined;
  const { session_id: agentSessionId, hook_event_name: event } = any.data;
  switch (event) {
    case 'PermissionRequest':
      return asked(agentSessionId, payload);
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      const call = z.safeParse(Call, payload);
      return call.success ? { kind: 'ran', agentSessionId, tool: call.data.tool_name, input: call.data.tool_input } : undefined;
    }
    case 'Stop':
      return { kind: 'told', agentSessionId, event, ...(any.data.stop_hook_active === true && { isContinuing: true }) };
    case 'SessionStart':
    case 'SessionEnd':
      return { kind: 'told', agentSessionId, event };
    case 'Notification':
      return notified(agentSessionId, payload);
    default:
      return undefined;
  }
}

function asked(agentSessionId: string, payload: unknown): HookCall | undefined {
  const call = z.safeParse(Call, payload);
  const more = z.safeParse(Asked, payload);
  if (!call.success || !more.success) return undefined;
  const { tool_name: tool, tool_input: input } = call.data;
  const request = ownProperty(KINDS, tool) ?? 'tool';
  return { kind: 'asked', agentSessionId, tool, input, request, subject: subjectOf(tool, input), suggestions: more.data.permission_suggestions ?? [] };
}

/** That it asks for permission is a card already. */
function notified(agentSessionId: string, payload: unknown): HookCall | undefined {
  const notice = z.safeParse(Notice, payload);
  if (!notice.success || notice.data.notification_type === 'permission_prompt') return undefined;
  const { message } = notice.data;
  return { kind: 'told', agentSessionId, event: 'Notification', ...(message !== undefined && { text: message.slice(0, 500) }) };
}

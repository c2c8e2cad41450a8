import * as z from 'zod/mini';

/**
 * The messages of the Agent Client Protocol, version 1, as far as we read them. All are loose: agents add their own fields,
 * and an unknown field is no reason to reject a line.
 */

const text = z.string();
const maybe = z.nullish(text);
const count = z.number();

export const PROTOCOL_VERSION = 1;

/** A way to log in; some agents add a command for the terminal. */
const AuthMethod = z.looseObject({
  id: text,
  name: text,
  description: maybe,
  _meta: z.nullish(z.looseObject({ 'terminal-auth': z.nullish(z.looseObject({ command: text, args: z.nullish(z.array(text)) })) })),
});
export type AuthMethod = z.infer<typeof AuthMethod>;

export const InitializeResult = z.looseObject({
  protocolVersion: z.number(),
  agentInfo: z.nullish(z.looseObject({ name: text, title: maybe, version: maybe })),
  authMethods: z.nullish(z.array(AuthMethod)),
  agentCapabilities: z.nullish(
    z.looseObject({
      loadSession: z.nullish(z.boolean()),
      promptCapabilities: z.nullish(z.looseObject({ image: z.nullish(z.boolean()) })),
      /** Each key is present, possibly empty, when the agent supports it. */
      sessionCapabilities: z.nullish(z.looseObject({ fork: z.nullish(z.looseObject({})) })),
    }),
  ),
});
export type InitializeResult = z.infer<typeof InitializeResult>;

const Choice = z.looseObject({ value: text, name: text, description: maybe });
/** Options are a list, or groups of lists. A switch has none. */
const ConfigOption = z.looseObject({
  id: text,
  category: maybe,
  currentValue: z.optional(z.union([text, z.boolean()])),
  options: z.optional(z.array(z.union([Choice, z.looseObject({ options: z.array(Choice) })]))),
});
export type ConfigOption = z.infer<typeof ConfigOption>;
export const ConfigOptions = z.looseObject({ configOptions: z.nullish(z.array(ConfigOption)) });

/** `session/load` answers without an id; a different id means that the agent made a new session. */
export const SessionResult = z.looseObject({
  sessionId: maybe,
  configOptions: z.nullish(z.array(ConfigOption)),
  modes: z.nullish(z.looseObject({ currentModeId: text, availableModes: z.array(z.looseObject({ id: text, name: maybe, description: maybe })) })),
});
export type SessionResult = z.infer<typeof SessionResult>;

export const PromptResult = z.looseObject({
  stopReason: text,
  usage: z.nullish(
    z.looseObject({
      inputTokens: z.nullish(count),
      outputTokens: z.nullish(count),
      cachedReadTokens: z.nullish(count),
      cachedWriteTokens: z.nullish(count),
    }),
  ),
});
export type PromptResult = z.infer<typeof PromptResult>;

export const Content = z.looseObject({ type: text, text: z.optional(text), data: z.optional(text), mimeType: maybe, uri: maybe, name: maybe });
export type Content = z.infer<typeof Content>;
export const Chunk = z.looseObject({ content: Content, messageId: maybe });
export type Chunk = z.infer<typeof Chunk>;

export const Diff = z.looseObject({ type: z.literal('diff'), path: text, oldText: maybe, newText: text });
export type Diff = z.infer<typeof Diff>;
const ToolContent = z.union([Diff, z.looseObject({ type: z.literal('content'), content: Content }), z.looseObject({ type: text })]);

export const ToolCall = z.looseObject({
  toolCallId: text.check(z.minLength(1)),
  title: maybe,
  name: maybe,
  kind: maybe,
  status: maybe,
  content: z.nullish(z.array(ToolContent)),
  locations: z.nullish(z.array(z.looseObject({ path: text }))),
  rawInput: z.optional(z.unknown()),
  rawOutput: z.optional(z.unknown()),
  // Terminal output: several agents send it here although we offer no terminal.
  _meta: z.nullish(
    z.looseObject({
      terminal_output: z.nullish(z.looseObject({ data: z.optional(text) })),
      terminal_output_delta: z.nullish(z.looseObject({ data: z.optional(text) })),
    }),
  ),
});
export type ToolCall = z.infer<typeof ToolCall>;

export const PermissionRequest = z.looseObject({
  sessionId: text,
  toolCall: ToolCall,
  options: z.array(z.looseObject({ optionId: text, name: text, kind: text })),
});
export type PermissionRequest = z.infer<typeof PermissionRequest>;

export const CancelRequest = z.looseObject({ requestId: z.union([text, count]) });

export const Plan = z.looseObject({ entries: z.array(z.looseObject({ content: text, status: text, priority: maybe })) });
export const UsageUpdate = z.looseObject({ used: count, size: count, cost: z.nullish(z.looseObject({ amount: count, currency: text })) });
export const CommandsUpdate = z.looseObject({
  availableCommands: z.array(z.looseObject({ name: text, description: maybe, input: z.nullish(z.looseObject({ hint: maybe })) })),
});
export type CommandsUpdate = z.infer<typeof CommandsUpdate>;
export const ModeUpdate = z.looseObject({ currentModeId: text });
export const Notice = z.looseObject({ severity: text, title: text });
export const CompactionUpdate = z.looseObject({ status: text, error: maybe });

export const SessionInfo = z.looseObject({
  title: maybe,
  _meta: z.nullish(z.looseObject({ codex: z.nullish(z.looseObject({ threadStatus: z.nullish(z.looseObject({ type: maybe })) })) })),
});

export const SessionUpdate = z.looseObject({ sessionId: text, update: z.looseObject({ sessionUpdate: text }) });

import * as z from 'zod/mini';

/** The demo agent's output, one JSON object per line; unknown fields are dropped. NOTES.md describes it. */
const stamp = { at: z.optional(z.string()) };
/** `parent`: the tool call inside which it happens. */
const block = { item: z.string(), message: z.string(), index: z.int(), parent: z.optional(z.string()) };
const image = z.object({ mediaType: z.string(), base64: z.string() });
const json = z.record(z.string(), z.unknown());

export const Change = z.object({ kind: z.enum(['create', 'edit', 'delete']), path: z.string(), patch: z.string() });

export const Ready = z.object({
  type: z.literal('ready'),
  ...stamp,
  session: z.string(),
  version: z.string(),
  cwd: z.string(),
  mode: z.string(),
  model: z.optional(z.string()),
  models: z.optional(z.array(z.object({ value: z.string(), title: z.string() }))),
  thinking: z.optional(z.string()),
  tools: z.array(z.string()),
  commands: z.array(z.object({ name: z.string(), description: z.string() })),
});
export const Began = z.object({ type: z.literal('began'), ...stamp, input: z.string(), text: z.string() });
/** A message that arrived mid-turn is now part of the turn. */
export const Joined = z.object({ type: z.literal('joined'), ...stamp, input: z.string(), text: z.string() });
export const Dropped = z.object({ type: z.literal('dropped'), ...stamp, input: z.string(), reason: z.string() });
export const Piece = z.object({
  type: z.literal('delta'),
  ...block,
  kind: z.enum(['text', 'thinking', 'tool_input']),
  text: z.string(),
  offset: z.int(),
  tool: z.optional(z.string()),
});
export const Text = z.object({ type: z.literal('text'), ...stamp, ...block, text: z.string(), interrupted: z.optional(z.boolean()) });
export const Thinking = z.object({ type: z.literal('thinking'), ...stamp, ...block, text: z.string() });
export const Tool = z.object({ type: z.literal('tool'), ...stamp, ...block, name: z.string(), input: json });
export const ToolDone = z.object({
  type: z.literal('tool.done'),
  ...stamp,
  item: z.string(),
  output: z.string(),
  error: z.boolean(),
  change: z.optional(Change),
  images: z.optional(z.array(image)),
  parent: z.optional(z.string()),
});
export const Ask = z.object({
  type: z.literal('ask'),
  ...stamp,
  request: z.string(),
  item: z.string(),
  tool: z.string(),
  input: json,
  title: z.string(),
  kind: z.enum(['tool', 'question', 'plan']),
  suggestions: z.optional(z.array(json)),
  subagent: z.optional(z.string()),
});
/** A call of one of Signalbox's own tools; the answer is its result. */
export const Call = z.object({ type: z.literal('call'), ...stamp, request: z.string(), item: z.string(), tool: z.string(), input: json });
export const Withdrawn = z.object({ type: z.literal('withdrawn'), ...stamp, request: z.string(), reason: z.string() });
export const Ended = z.object({
  type: z.literal('ended'),
  ...stamp,
  input: z.string(),
  stop: z.string(),
  ms: z.number(),
  denials: z.int(),
  aborted: z.boolean(),
  problem: z.optional(z.string()),
  result: z.string(),
});
export const Reply = z.object({ type: z.literal('reply'), ...stamp, to: z.string(), ok: z.boolean(), detail: z.optional(z.string()) });
export const DemoSetting = z.enum(['model', 'mode', 'thinking']);

/** The current value of a setting; `refused` says why it isn't the requested one. */
export const Setting = z.object({
  type: z.literal('setting'),
  ...stamp,
  command: z.optional(z.string()),
  setting: DemoSetting,
  value: z.string(),
  refused: z.optional(z.string()),
});
export const Limit = z.object({ type: z.literal('limit'), ...stamp, status: z.string(), kind: z.string(), resets: z.optional(z.string()) });
export const Retry = z.object({ type: z.literal('retry'), ...stamp, attempt: z.int(), of: z.int(), ms: z.number(), error: z.string() });
export const Problem = z.object({ type: z.literal('problem'), ...stamp, text: z.string() });

export const DemoLine = z.discriminatedUnion('type', [
  Ready,
  Began,
  Joined,
  Dropped,
  Piece,
  Text,
  Thinking,
  Tool,
  ToolDone,
  Ask,
  Call,
  Withdrawn,
  Ended,
  Reply,
  Setting,
  Limit,
  Retry,
  Problem,
]);
export type DemoLine = z.infer<typeof DemoLine>;

/** The demo agent's input, one JSON object per line. */
export type DemoRequest =
  | { readonly type: 'input'; readonly id: string; readonly text: string; readonly images: readonly Picture[]; readonly steer: boolean }
  | { readonly type: 'interrupt'; readonly request: string }
  | { readonly type: 'set'; readonly command: string; readonly setting: SettingName; readonly value: string }
  | Allow
  | { readonly type: 'answer'; readonly request: string; readonly behavior: 'deny'; readonly message: string; readonly interrupt: boolean };

export type Picture = z.infer<typeof image>;
export type SettingName = z.infer<typeof DemoSetting>;

/** `grants` are suggestions from the request that apply from now on; `mode` is the one to continue in after a plan. */
export interface Allow {
  readonly type: 'answer';
  readonly request: string;
  readonly behavior: 'allow';
  readonly input: Readonly<Record<string, unknown>>;
  readonly grants: readonly Readonly<Record<string, unknown>>[];
  readonly mode?: string;
}

/** What the model should say, independent of any API; a format file writes it for one of them. */
export type Reply =
  | MessageReply
  /** An HTTP error. */
  | { readonly kind: 'failure'; readonly status: number; readonly type: string; readonly message: string; readonly headers?: Readonly<Record<string, string>> }
  /** Accepts the request and never answers. */
  | { readonly kind: 'silence' };

export interface MessageReply {
  readonly kind: 'message';
  readonly blocks: readonly Block[];
  readonly stop: 'end' | 'tools' | 'length' | 'refusal';
  /** The input tokens that the usage reports; a large number makes a CLI compact. */
  readonly inputTokens?: number;
  /** How the parts are sent when the reply is streamed; all at once by default. */
  readonly flow?: Flow;
}

export type Flow =
  /** Each part waits until the test releases it at the gate with this name. */
  | { readonly by: 'gate'; readonly gate: string }
  /** The complete reply waits for the gate. */
  | { readonly by: 'door'; readonly gate: string }
  /** For kills at random times, when no test waits at a gate. */
  | { readonly by: 'pace'; readonly pauseMs: number }
  /** After this many parts the socket is destroyed, or the stream reports an error and ends. */
  | { readonly by: 'breaking'; readonly afterPieces: number; readonly how: 'cut' | 'error-event' };

export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | { readonly kind: 'tool'; readonly name: string; readonly input: Readonly<Record<string, unknown>> };

export const say = (text: string, extra: Partial<MessageReply> = {}): MessageReply => ({
  kind: 'message',
  blocks: [{ kind: 'text', text }],
  stop: 'end',
  ...extra,
});

export const callTools = (...tools: readonly { name: string; input: Record<string, unknown> }[]): MessageReply => ({
  kind: 'message',
  blocks: tools.map((tool) => ({ kind: 'tool', ...tool })),
  stop: 'tools',
});

export const fail = (status: number, type: string, message: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  kind: 'failure',
  status,
  type,
  message,
  headers,
});

/** The error for an account that has used up its limit until then (in seconds since 1970). */
export const limited = (resetsAt: number): Reply =>
  fail(429, 'rate_limit_error', "This request would exceed your account's rate limit. Please try again later.", {
    'x-should-retry': 'false',
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-reset': String(resetsAt),
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-5h-status': 'rejected',
    'anthropic-ratelimit-unified-5h-reset': String(resetsAt),
    'anthropic-ratelimit-unified-5h-utilization': '1.0',
    'anthropic-ratelimit-unified-overage-status': 'rejected',
    'anthropic-ratelimit-unified-overage-disabled-reason': 'out_of_credits',
  });

/** Words with the space after them: what one delta carries. */
export const pieces = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? [];

import { amount, anything, either, flag, type Loose, list, nullish, object, oneOf, optional, text } from '../shape.ts';

/** A message as Pi and its derivatives write it, on the wire and in session files. */

type Maybe<T> = T | null | undefined;

interface Usage {
  readonly input: Maybe<number>;
  readonly output: Maybe<number>;
  readonly cacheRead: Maybe<number>;
  readonly cacheWrite: Maybe<number>;
  readonly totalTokens: Maybe<number>;
  readonly cost: Maybe<{ readonly total: Maybe<number> }>;
}
export type PiUsage = Loose<Usage>;
const tokens = nullish(amount);
export const isUsage = object<Usage>({
  input: tokens,
  output: tokens,
  cacheRead: tokens,
  cacheWrite: tokens,
  totalTokens: tokens,
  cost: nullish(object<{ readonly total: Maybe<number> }>({ total: tokens })),
});

interface Block {
  readonly type: string;
}
const isBlock = object<Block>({ type: text });
export const isTextBlock = object<{ readonly text: string }>({ text });
export const isThinkingBlock = object<{ readonly thinking: string }>({ thinking: text });
export const isImageBlock = object<{ readonly data: string; readonly mimeType: string }>({ data: text, mimeType: text });
export const isToolCallBlock = object<{ readonly id: string; readonly name: string; readonly arguments: Loose<object> }>({
  id: text,
  name: text,
  arguments: object<object>({}),
});

export type PiContent = string | readonly Loose<Block>[];
export const isContent = either(text, list(isBlock));

interface User {
  readonly role: 'user';
  readonly content: PiContent;
  readonly timestamp: number | undefined;
}
export type PiUserMessage = Loose<User>;
const timestamp = optional(amount);
export const isUserMessage = object<User>({ role: oneOf('user'), content: isContent, timestamp });

interface Assistant {
  readonly role: 'assistant';
  readonly content: readonly Loose<Block>[];
  readonly provider: string | undefined;
  readonly model: string | undefined;
  readonly usage: Maybe<PiUsage>;
  /** stop, length, toolUse, error, aborted. */
  readonly stopReason: Maybe<string>;
  readonly errorMessage: Maybe<string>;
  readonly timestamp: number | undefined;
}
export type PiAssistantMessage = Loose<Assistant>;
export const isAssistantMessage = object<Assistant>({
  role: oneOf('assistant'),
  content: list(isBlock),
  provider: optional(text),
  model: optional(text),
  usage: nullish(isUsage),
  stopReason: nullish(text),
  errorMessage: nullish(text),
  timestamp,
});

interface ToolResult {
  readonly role: 'toolResult';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: PiContent | undefined;
  readonly details: unknown;
  readonly isError: boolean | undefined;
  readonly timestamp: number | undefined;
}
export type PiToolResult = Loose<ToolResult>;
export const isToolResult = object<ToolResult>({
  role: oneOf('toolResult'),
  toolCallId: text,
  toolName: text,
  content: optional(isContent),
  details: anything,
  isError: optional(flag),
  timestamp,
});

interface BashExecution {
  readonly command: string;
  readonly output: string;
  readonly exitCode: Maybe<number>;
  readonly cancelled: boolean | undefined;
  readonly timestamp: number | undefined;
}
export type PiBashExecution = Loose<BashExecution>;
/** A shell command that a person ran. */
export const isBashExecution = object<BashExecution>({ command: text, output: text, exitCode: tokens, cancelled: optional(flag), timestamp });

interface Inserted {
  readonly content: PiContent | undefined;
  readonly summary: string | undefined;
  readonly display: boolean | undefined;
}
export type PiInserted = Loose<Inserted>;
/** Inserted into the context by an extension, a compaction or a change of branch. */
export const isInserted = object<Inserted>({ content: optional(isContent), summary: optional(text), display: optional(flag) });

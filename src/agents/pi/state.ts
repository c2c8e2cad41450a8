import type { Observation } from '../../protocol/observation.ts';
import type { PermissionMode } from '../../protocol/session.ts';

/** A block of which pieces were shown. */
export interface OpenBlock {
  readonly index: number;
  readonly kind: 'text' | 'thinking' | 'tool_input';
  readonly itemId: string;
  readonly toolName?: string;
  readonly chars: number;
}

/** The assistant message that is being written. */
interface OpenMessage {
  readonly id: string;
  readonly open: readonly OpenBlock[];
}

/** A call that has no result yet, as far as its result needs it. */
interface OpenTool {
  readonly path?: string;
}

/** What our extension told of itself: without it nobody is asked. */
interface Gate {
  readonly mode: PermissionMode;
  readonly tools: readonly string[];
  readonly version?: string;
}

interface Named {
  readonly name: string;
  readonly description?: string;
}

/** The answers come in any order. */
interface Greeting {
  readonly commands?: readonly Named[];
  readonly models?: readonly { readonly value: string; readonly title?: string }[];
  readonly session?: { readonly id: string; readonly model?: string };
}

interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costUsd: number;
}

/** How the last answer of the model ended. */
interface LastAnswer {
  readonly stopReason: string;
  readonly error?: string;
  readonly text: string;
}

/** The fold over the lines of one process: plain JSON, a few kilobytes, never changed in place. */
export interface State {
  /** `settling`: the work is over unless a retry, a compaction or a queued message follows. */
  readonly turn: 'idle' | 'running' | 'settling';
  /** A retry or a compaction is under way. */
  readonly isMending: boolean;
  /** A shell line or a compaction that a person asked for is under way. */
  readonly errand: string | null;
  readonly message: OpenMessage | null;
  readonly lastMessageId: string;
  /** Inputs that Pi has accepted and not begun to work on. */
  readonly inputs: readonly string[];
  /** Dialogs that may still wait for an answer. */
  readonly dialogs: readonly string[];
  readonly tools: Readonly<Record<string, OpenTool>>;
  readonly gate: Gate | null;
  /** What the answers to the greeting told, until the session is described; null when it is. */
  readonly greeting: Greeting | null;
  readonly provider: string;
  readonly cwd: string;
  readonly thinking: string | null;
  readonly contextWindow: number | null;
  readonly contextTokens: number | null;
  readonly spent: Spent;
  readonly denials: number;
  readonly last: LastAnswer | null;
}

export const NOTHING_SPENT: Spent = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0 };

export const initial = (): State => ({
  turn: 'idle',
  isMending: false,
  errand: null,
  message: null,
  lastMessageId: '',
  inputs: [],
  dialogs: [],
  tools: {},
  gate: null,
  greeting: {},
  provider: '',
  cwd: '',
  thinking: null,
  contextWindow: null,
  contextTokens: null,
  spent: NOTHING_SPENT,
  denials: 0,
  last: null,
});

/** What one line does to the fold, and what it tells. */
export interface Step {
  readonly state: State;
  readonly observations: readonly Observation[];
  readonly replies?: readonly string[];
}

export const nothing = (state: State): Step => ({ state, observations: [] });

export const tell = (state: State, ...observations: readonly Observation[]): Step => ({ state, observations });

/** Far more than are ever open at once; keeps the state small over a long life. */
const REMEMBERED_IDS = 64;

export const remember = (ids: readonly string[], id: string): readonly string[] => [...ids, id].slice(-REMEMBERED_IDS);

/** Keys are the agent's words, and `__proto__` is a word. */
export const lookUp = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined => (Object.hasOwn(record, key) ? record[key] : undefined);

export function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  const { [key]: _gone, ...rest } = record;
  return rest;
}

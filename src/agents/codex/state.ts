import type * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import type { Change, Sandbox } from './wire.ts';

/** A message or a thought that is being written. */
export interface OpenText {
  readonly kind: 'text' | 'thinking';
  readonly chars: number;
  /** What was shown of it, while it is short enough to be kept: an item that is cut off is never told again. */
  readonly text: string;
}

export interface Counts {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** What a person chose while the session lives; it goes with every later turn. */
interface Wishes {
  readonly model?: string;
  readonly thinking?: string;
  readonly mode?: string;
}

/** What the session is, as it was told when the thread was opened. */
export type Description = Omit<Extract<Observation, { type: 'session.started' }>, 'models'>;

/** The fold over the lines of one process: plain JSON, a few kilobytes, never changed in place. */
export interface State {
  readonly version: string | null;
  readonly threadId: string | null;
  /** Why there is no thread, when it could not be opened. */
  readonly closed: string | null;
  /** Until the thread is opened; null when they are told. */
  readonly models: readonly { readonly value: string; readonly title?: string }[] | null;
  readonly description: Description | null;
  readonly sandbox: z.infer<typeof Sandbox> | null;
  readonly wishes: Wishes;
  readonly turnId: string | null;
  /** Somebody wanted the turn to stop before it had begun. */
  readonly stopsNext: boolean;
  /** The input that asked for a compaction, until it begins. */
  readonly compaction: string | null;
  /** Somebody asked for the compaction that goes on. */
  readonly isCompacting: boolean;
  readonly texts: Readonly<Record<string, OpenText>>;
  /** Texts of this turn that were told as they stood when something else cut them off. */
  readonly cut: readonly string[];
  /** Changes of files that wait for an answer, which speaks only of their item. */
  readonly changes: Readonly<Record<string, readonly Change[]>>;
  /** Warnings that were shown: Codex repeats them with every turn. */
  readonly warned: readonly string[];
  /** Tokens of the whole thread now, and when the turn began. */
  readonly total: Counts;
  readonly before: Counts;
  readonly contextTokens: number | null;
  readonly contextWindow: number | null;
  readonly denials: number;
  readonly result: string;
}

export const NO_COUNTS: Counts = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export const initial = (): State => ({
  version: null,
  threadId: null,
  closed: null,
  models: null,
  description: null,
  sandbox: null,
  wishes: {},
  turnId: null,
  stopsNext: false,
  compaction: null,
  isCompacting: false,
  texts: {},
  cut: [],
  changes: {},
  warned: [],
  total: NO_COUNTS,
  before: NO_COUNTS,
  contextTokens: null,
  contextWindow: null,
  denials: 0,
  result: '',
});

/** What one line does to the fold, and what it tells. */
export interface Step {
  readonly state: State;
  readonly observations: readonly Observation[];
  readonly replies?: readonly string[];
}

export const nothing = (state: State): Step => ({ state, observations: [] });

export const tell = (state: State, ...observations: readonly Observation[]): Step => ({ state, observations });

/** Keys are the agent's words, and `__proto__` is a word. */
export const lookUp = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined => (Object.hasOwn(record, key) ? record[key] : undefined);

/** A computed key of a literal is always a field of its own, also when it is `__proto__`. */
export const withKey = <T>(record: Readonly<Record<string, T>>, key: string, value: T): Readonly<Record<string, T>> => ({ ...record, [key]: value });

export function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  const { [key]: _gone, ...rest } = record;
  return rest;
}

import type { Observation } from '../../protocol/observation.ts';
import type { Row } from './wire.ts';

/** Text in progress. Its id is ours: the id of the message is told only with the whole of it. */
export interface OpenText {
  readonly itemId: string;
  /** What the Gateway calls it, where it does. */
  readonly source: string;
  readonly chars: number;
}

export interface Spent {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costUsd: number;
}

/** How a run ended, as the Gateway told it; what belongs to it may still be on its way. */
export interface Closing {
  readonly state: string;
  readonly stopReason: string | null;
  readonly error: string | null;
  /** There is an answer that has to be told first. */
  readonly expectsAnswer: boolean;
}

/** A run of the Gateway in this conversation. */
export interface Turn {
  readonly runId: string;
  /** It got as far as to work: then it also says when all of its work is over. */
  readonly isWorking: boolean;
  readonly isSettled: boolean;
  /** The last answer of the model was told whole. */
  readonly isAnswered: boolean;
  readonly closing: Closing | null;
  readonly texts: Readonly<Record<'text' | 'thinking', OpenText | null>>;
  readonly items: number;
  /** Calls that were told. */
  readonly calls: readonly string[];
  readonly spent: Spent;
  readonly denials: number;
  readonly attempts: number;
  readonly error: string | null;
  readonly result: string;
}

/** The fold over the lines of one process: plain JSON, a few kilobytes, never changed in place. */
export interface State {
  readonly version: string | null;
  readonly key: string | null;
  readonly sessionId: string | null;
  readonly cwd: string;
  /** Its permission mode, in our words. */
  readonly mode: string;
  /** Why nothing can be said to it. */
  readonly closed: string | null;
  /** The list of models, when it came before the session was described; its description, when that came before the list. */
  readonly models: readonly { readonly value: string; readonly title?: string }[] | null;
  readonly description: Omit<Extract<Observation, { type: 'session.started' }>, 'models'> | null;
  readonly turn: Turn | null;
  /** Inputs that the Gateway has accepted and not begun to work on. */
  readonly accepted: readonly string[];
  /** The next run is to be stopped as soon as it begins. */
  readonly stopsNext: boolean;
  /** The last inputs that were taken, rows that were told, runs that ended: what comes again is known. */
  readonly taken: readonly string[];
  readonly told: readonly string[];
  readonly ended: readonly string[];
  /** Messages that were told cut, as far as they were told: the whole of each is asked for. */
  readonly fetching: readonly { readonly id: string; readonly cut: Row }[];
  readonly contextTokens: number | null;
  readonly contextWindow: number | null;
}

export const NOTHING_SPENT: Spent = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0 };

export const initial = (): State => ({
  version: null,
  key: null,
  sessionId: null,
  cwd: '',
  mode: 'default',
  closed: null,
  models: null,
  description: null,
  turn: null,
  accepted: [],
  stopsNext: false,
  taken: [],
  told: [],
  ended: [],
  fetching: [],
  contextTokens: null,
  contextWindow: null,
});

/** What one line does to the fold, and what it tells. */
export interface Step {
  readonly state: State;
  readonly observations: readonly Observation[];
  readonly replies?: readonly string[];
}

export const nothing = (state: State): Step => ({ state, observations: [] });

export const tell = (state: State, ...observations: readonly Observation[]): Step => ({ state, observations });

export const ask = (state: State, ...replies: readonly string[]): Step => ({ state, observations: [], replies });

/** One step after another. */
export function andThen(first: Step, next: (state: State) => Step): Step {
  const second = next(first.state);
  const replies = [...(first.replies ?? []), ...(second.replies ?? [])];
  return { state: second.state, observations: [...first.observations, ...second.observations], ...(replies.length > 0 ? { replies } : {}) };
}

export const withTurn = (state: State, change: Partial<Turn>): State => (state.turn === null ? state : { ...state, turn: { ...state.turn, ...change } });

const REMEMBERED = 16;
export const remembered = (list: readonly string[], one: string): readonly string[] => [...list.filter((other) => other !== one), one].slice(-REMEMBERED);

/** Keys are the agent's words, and `__proto__` is a word. */
export const lookUp = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined => (Object.hasOwn(record, key) ? record[key] : undefined);

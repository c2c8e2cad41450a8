import type { Observation } from '../../protocol/observation.ts';
import type { Step as FoldStep } from '../formats/fold.ts';
import { remember } from '../formats/fold.ts';
import type { Spent } from '../formats/spent.ts';
import type { Row } from './wire.ts';

/** Text being streamed. We choose its id: the message's id arrives only with the complete message. */
export interface OpenText {
  readonly itemId: string;
  /** The Gateway's name for it, if any. */
  readonly source: string;
  readonly chars: number;
  /** What the model says before a tool call: the message that follows may not have it. */
  readonly preamble?: string;
}

/** How a run ended, as the Gateway reported it; parts of it may still arrive. */
export interface Closing {
  readonly state: string;
  readonly stopReason: string | null;
  readonly error: string | null;
  /** An answer still has to be reported first. */
  readonly expectsAnswer: boolean;
}

/** A run of the Gateway in this conversation. */
export interface Turn {
  readonly runId: string;
  /** The run started working, so it will also report when it has settled. */
  readonly isWorking: boolean;
  readonly isSettled: boolean;
  /** The model's last answer was reported completely. */
  readonly isAnswered: boolean;
  readonly closing: Closing | null;
  readonly texts: Readonly<Record<'text' | 'thinking', OpenText | null>>;
  readonly items: number;
  /** Calls that were reported. */
  readonly calls: readonly string[];
  /** The starts of the preambles that were reported: a stored message may repeat them. */
  readonly preambles: readonly string[];
  readonly spent: Spent;
  readonly denials: number;
  readonly attempts: number;
  readonly error: string | null;
  readonly result: string;
}

/** The fold over the lines of one process: plain JSON, a few kilobytes, never mutated. Stored with the run: field names must not change. */
export interface State {
  readonly version: string | null;
  readonly key: string | null;
  readonly sessionId: string | null;
  readonly cwd: string;
  /** Our name of its permission mode. */
  readonly mode: string;
  /** Why the conversation can't be used. */
  readonly closed: string | null;
  /** The list of models, if it arrived before the session's description; the description, if it arrived before the list. */
  readonly models: readonly { readonly value: string; readonly title?: string }[] | null;
  readonly description: Omit<Extract<Observation, { type: 'session.started' }>, 'models'> | null;
  readonly turn: Turn | null;
  /** Inputs that the Gateway accepted but hasn't started on. */
  readonly accepted: readonly string[];
  /** Stop the next run as soon as it starts. */
  readonly stopsNext: boolean;
  /** The latest inputs taken, rows reported and runs ended: repetitions are ignored. */
  readonly taken: readonly string[];
  readonly told: readonly string[];
  readonly ended: readonly string[];
  /** Truncated messages whose complete text was requested. */
  readonly fetching: readonly { readonly id: string; readonly cut: Row }[];
  readonly contextTokens: number | null;
  readonly contextWindow: number | null;
}

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

export type Step = FoldStep<State>;

export const withTurn = (state: State, change: Partial<Turn>): State => (state.turn === null ? state : { ...state, turn: { ...state.turn, ...change } });

const REMEMBERED = 16;
export const remembered = (list: readonly string[], one: string): readonly string[] =>
  remember(
    list.filter((other) => other !== one),
    one,
    REMEMBERED,
  );

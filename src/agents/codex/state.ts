import type * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import type { Step as FoldStep } from '../formats/fold.ts';
import type { Change, Sandbox } from './wire.ts';

/** A message or a thought that is being written. */
export interface OpenText {
  readonly kind: 'text' | 'thinking';
  readonly chars: number;
  /** The text shown so far, while short enough to keep: an item that is cut off is never sent again. */
  readonly text: string;
}

export interface Counts {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Settings a person chose during the session; sent with every later turn. */
interface ChosenSettings {
  readonly model?: string;
  readonly thinking?: string;
  readonly mode?: string;
}

/** The session's description from when the thread was opened. */
export type Description = Omit<Extract<Observation, { type: 'session.started' }>, 'models'>;

/** The fold over the lines of one process: plain JSON, a few kilobytes, never mutated. Stored with the run: field names must not change. */
export interface State {
  readonly version: string | null;
  readonly threadId: string | null;
  /** Why there is no thread, when it could not be opened. */
  readonly closed: string | null;
  /** Models, until the thread is opened; null once they are reported. */
  readonly models: readonly { readonly value: string; readonly title?: string }[] | null;
  readonly description: Description | null;
  readonly sandbox: z.infer<typeof Sandbox> | null;
  readonly wishes: ChosenSettings;
  readonly turnId: string | null;
  /** Someone interrupted before the turn started. */
  readonly stopsNext: boolean;
  /** The input that asked for a compaction, until the compaction starts. */
  readonly compaction: string | null;
  /** A person asked for the running compaction. */
  readonly isCompacting: boolean;
  readonly texts: Readonly<Record<string, OpenText>>;
  /** Texts of this turn that were already reported when something cut them off. */
  readonly cut: readonly string[];
  /** File changes that wait for an answer; the request only names their item. */
  readonly changes: Readonly<Record<string, readonly Change[]>>;
  /** Warnings already shown: Codex repeats them with every turn. */
  readonly warned: readonly string[];
  /** Tokens of the whole thread: now, and at the start of the turn. */
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

export type Step = FoldStep<State>;

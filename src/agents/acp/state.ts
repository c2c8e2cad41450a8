import type { FileChange } from '../../protocol/event.ts';
import type { Observation } from '../../protocol/observation.ts';

/** Text that is being said. It is never said again as a whole, so it is kept here until it ends. */
export interface OpenText {
  readonly kind: 'text' | 'thinking';
  /** The agent's own id of the message, where it has one. */
  readonly messageId: string | null;
  readonly itemId: string;
  readonly text: string;
}

/** A call without a result, as far as its result needs it. */
export interface OpenTool {
  readonly isStarted: boolean;
  readonly name: string;
  readonly title: string;
  readonly kind: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly paths: readonly string[];
  /** What it printed so far, where that is told in pieces only; its end, when it is long. */
  readonly printed: string;
  readonly change: FileChange | null;
}

/** The options of a request for permission, by what they mean. */
export interface Ask {
  readonly toolUseId: string;
  readonly allow: string | null;
  readonly reject: string | null;
}

/** A choice that the agent offers, such as its model. */
export interface Config {
  readonly id: string;
  readonly category: string;
  readonly value: string;
  readonly values: readonly string[];
}

interface Turn {
  readonly inputId: string;
  /** Something was said or done in it. */
  readonly hasSpoken: boolean;
  /** What the session had cost before; null when that is not known. */
  readonly costBefore: number | null;
}

export type Session =
  | { readonly phase: 'opening' }
  /** The agent tells an earlier conversation again, which we have. */
  | { readonly phase: 'loading'; readonly hasTold: boolean }
  | { readonly phase: 'open'; readonly id: string }
  /** There is no session to talk to, and why, in words. */
  | { readonly phase: 'refused'; readonly why: string };

export type Described = Extract<Observation, { type: 'session.started' }>;

/** The fold over the lines of one process: plain JSON, a few kilobytes, never changed in place. */
export interface State {
  readonly cwd: string;
  readonly session: Session;
  readonly version: string | null;
  readonly canLoad: boolean;
  readonly abilities: readonly string[];
  /** The session as it was described, until the list of its commands has come. */
  readonly described: Described | null;
  readonly configs: readonly Config[];
  readonly modes: readonly string[];
  readonly turn: Turn | null;
  /** Items so far, for ids where the agent has none. */
  readonly items: number;
  readonly lastInput: string;
  readonly text: OpenText | null;
  readonly tools: Readonly<Record<string, OpenTool>>;
  /** Calls that are over, so that news which come late or twice do not begin them again. */
  readonly doneTools: readonly string[];
  readonly asks: Readonly<Record<string, Ask>>;
  readonly contextTokens: number | null;
  readonly contextWindow: number | null;
  /** Of the whole session, as the agent counts it; null until it tells. */
  readonly costUsd: number | null;
  /** It began with this process: what it costs began with nothing. */
  readonly isNew: boolean;
}

export const initial = (): State => ({
  cwd: '',
  session: { phase: 'opening' },
  version: null,
  canLoad: false,
  abilities: [],
  described: null,
  configs: [],
  modes: [],
  turn: null,
  items: 0,
  lastInput: 'start',
  text: null,
  tools: {},
  doneTools: [],
  asks: {},
  contextTokens: null,
  contextWindow: null,
  costUsd: null,
  isNew: false,
});

/** What one line does to the fold, and what it tells. */
export interface Step {
  readonly state: State;
  readonly observations: readonly Observation[];
  readonly replies?: readonly string[];
}

export const nothing = (state: State): Step => ({ state, observations: [] });

export const tell = (state: State, ...observations: readonly Observation[]): Step => ({ state, observations });

/** One step after another, as one. (A module that exports `then` would be taken for a promise.) */
export function andThen(first: Step, next: (state: State) => Step): Step {
  const second = next(first.state);
  const replies = [...(first.replies ?? []), ...(second.replies ?? [])];
  return { state: second.state, observations: [...first.observations, ...second.observations], ...(replies.length > 0 ? { replies } : {}) };
}

const REMEMBERED_IDS = 40;

export const remember = (ids: readonly string[], ...more: readonly string[]): readonly string[] => [...ids, ...more].slice(-REMEMBERED_IDS);

/** Keys are the agent's words, and `__proto__` is a word. */
export const lookUp = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined => (Object.hasOwn(record, key) ? record[key] : undefined);

export function without<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  const { [key]: _gone, ...rest } = record;
  return rest;
}

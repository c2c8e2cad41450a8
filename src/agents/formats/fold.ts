import * as z from 'zod/mini';
import type { Observation } from '../../protocol/observation.ts';
import type { Translation } from '../port/adapter.ts';
import { unrecognized } from './unrecognized.ts';

/** The new state after one line, and what the line reports. */
export interface Step<State> {
  readonly state: State;
  readonly observations: readonly Observation[];
  readonly replies?: readonly string[];
}

/** Reads one kind of line; undefined when the line doesn't have the known shape. */
export type Reader<State> = (state: State, raw: object) => Step<State> | undefined;

export interface Grammar<State, Line> {
  /** Undefined when the text isn't a line of this format. */
  parse(raw: string): Line | undefined;
  readonly notParsed: string;
  /** Undefined for an unknown kind or shape of line. */
  read(state: State, line: Line): Step<State> | undefined;
  /** Why a parsed line could not be read. */
  reason(line: Line): string;
  /** Replies that an unreadable line still needs: the sender waits for an answer. */
  replies?(line: Line): readonly string[];
}

/** Makes the `translate` of an adapter. Never throws: an unexpected line is reported as it is. */
export const translator =
  <State, Line>(grammar: Grammar<State, Line>) =>
  (state: State, raw: string): Translation<State> =>
    translation(stepOf(grammar, state, raw));

export const translation = <State>({ state, observations, replies = NO_REPLIES }: Step<State>): Translation<State> => ({ state, observations, replies });

const NO_REPLIES: readonly string[] = [];

function stepOf<State, Line>({ parse, notParsed, read, reason, replies }: Grammar<State, Line>, state: State, raw: string): Step<State> {
  const line = parse(raw);
  if (line === undefined) return raw.trim() === '' ? emitNothing(state) : emit(state, unrecognized(raw, notParsed));
  const step = attempt(() => read(state, line));
  return step ?? { ...emit(state, unrecognized(raw, reason(line))), replies: replies?.(line) ?? NO_REPLIES };
}

/** A field of an unexpected type can make a reader throw; that is one more unknown shape. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** A reader for lines that match the schema. */
export const readerFor =
  <State, S extends z.core.$ZodType>(schema: S, read: (state: State, value: z.infer<S>) => Step<State> | undefined): Reader<State> =>
  (state, raw) => {
    const parsed = z.safeParse(schema, raw);
    return parsed.success ? read(state, parsed.data) : undefined;
  };

/** For a known line that adds nothing to what other lines report. */
export const emitNothing = <State>(state: State): Step<State> => ({ state, observations: [] });

export const emit = <State>(state: State, ...observations: readonly Observation[]): Step<State> => ({ state, observations });

export const sendLines = <State>(state: State, ...replies: readonly string[]): Step<State> => ({ state, observations: [], replies });

/** Two steps as one. (Not called `then`: a module that exports `then` is treated as a promise.) */
export function andThen<State>(first: Step<State>, next: (state: State) => Step<State>): Step<State> {
  const second = next(first.state);
  const replies = [...(first.replies ?? []), ...(second.replies ?? [])];
  return { state: second.state, observations: [...first.observations, ...second.observations], ...(replies.length > 0 ? { replies } : {}) };
}

/** Far more than are ever open at once; keeps the state of a long run small. */
const REMEMBERED_IDS = 64;

/** Appends to a list of ids in the state, keeping only the newest. */
export const remember = (ids: readonly string[], id: string | readonly string[], limit = REMEMBERED_IDS): readonly string[] => ids.concat(id).slice(-limit);

/** Keys come from the agent, and `__proto__` can be one. */
export const ownProperty = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined => (Object.hasOwn(record, key) ? record[key] : undefined);

/** A computed key in a literal is always an own property, even `__proto__`. */
export const withKey = <T>(record: Readonly<Record<string, T>>, key: string, value: T): Readonly<Record<string, T>> => ({ ...record, [key]: value });

export function withoutKey<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  const { [key]: _gone, ...rest } = record;
  return rest;
}

/** How full the context is, as far as the agent reported it. */
export const contextUsage = ({ contextTokens, contextWindow }: { readonly contextTokens: number | null; readonly contextWindow: number | null }) => ({
  ...(isCount(contextTokens) ? { contextTokens: Math.round(contextTokens) } : {}),
  ...(isCount(contextWindow) ? { contextWindow: Math.round(contextWindow) } : {}),
});

/** A number that can be a number of tokens. */
export const isCount = (value: number | null | undefined): value is number =>
  typeof value === 'number' && value >= 0 && Number.isSafeInteger(Math.round(value));

import type { ModelSpent } from '../../protocol/event.ts';
import type { Observation } from '../../protocol/observation.ts';

/** A block whose text was streamed and whose finished form has not come yet. */
export interface OpenBlock {
  readonly index: number;
  readonly kind: 'text' | 'thinking' | 'tool_input';
  readonly itemId: string;
  readonly toolName?: string;
  readonly chars: number;
}

/** The message that one thread (the main one, or one subagent) is at. */
export interface Thread {
  readonly messageId: string;
  /** The index of the next finished block that was not streamed. */
  readonly next: number;
  readonly open: readonly OpenBlock[];
}

export interface Task {
  readonly kind: string;
  readonly title?: string;
  readonly toolUseId?: string;
}

interface NamedCommand {
  readonly name: string;
  readonly description?: string;
  readonly argumentHint?: string;
}

interface NamedModel {
  readonly value: string;
  readonly title?: string;
  /** Its name in full, as `init` prints it. */
  readonly resolved?: string;
  readonly alwaysThinks?: boolean;
}

/** What a rewind that was just asked for will touch. */
interface Rewindable {
  readonly files: readonly string[];
  readonly insertions?: number;
  readonly deletions?: number;
}

/** What the handshake told: needed again whenever the session is described anew. */
interface Handshake {
  readonly commands: readonly NamedCommand[];
  readonly models: readonly NamedModel[];
}

interface KnownSession {
  readonly id: string;
  readonly model: string;
  readonly mode: string;
  /** A hash of everything else that `session.started` told, so that it is told again only when it changed. */
  readonly fingerprint: string;
}

/** The fold over the lines of one process: plain JSON, a few kilobytes, never changed in place. */
export interface State {
  readonly isTurnRunning: boolean;
  /** Why the next turn will begin, when a line has already told. */
  readonly nextCause: string | null;
  /** We asked for an interrupt and the CLI said yes: what it prints until the result is cut short. */
  readonly isInterrupting: boolean;
  readonly handshake: Handshake | null;
  readonly session: KnownSession | null;
  /** Apart from the others, because it changes with every piece of text. */
  readonly main: Thread | null;
  /** By the tool use id that started each. */
  readonly subagents: Readonly<Record<string, Thread>>;
  readonly tasks: Readonly<Record<string, Task>>;
  /** Requests of the CLI: our answers to them are echoed and must not be taken for its answers to us. */
  readonly asked: readonly string[];
  /** Those of them that show a plan. */
  readonly plans: readonly string[];
  /** Inputs already reported as taken. */
  readonly taken: readonly string[];
  readonly totalCostUsd: number;
  /** What each model has taken since the process began. */
  readonly totals: readonly ModelSpent[];
  readonly contextTokens: number | null;
  readonly rewindable: Rewindable | null;
}

export const initial = (): State => ({
  isTurnRunning: false,
  nextCause: null,
  isInterrupting: false,
  handshake: null,
  session: null,
  main: null,
  subagents: {},
  tasks: {},
  asked: [],
  plans: [],
  taken: [],
  totalCostUsd: 0,
  totals: [],
  contextTokens: null,
  rewindable: null,
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

import type { FileChange, Usage } from '../../protocol/event.ts';
import type { Observation } from '../../protocol/observation.ts';
import type { OwnMode } from '../../protocol/session.ts';
import type { Step as FoldStep } from '../formats/fold.ts';

/** Text being streamed. It is never repeated in full, so it is kept here until it ends. */
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
  /** Output so far, where it only arrives in parts; the end of it when long. */
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
  /** The turn has produced something. */
  readonly hasSpoken: boolean;
  /** Cost of the session before the turn; null when unknown. */
  readonly costBefore: number | null;
  /** The agent says so, although it ends the turn like any other. */
  readonly hasFailed?: boolean;
}

/** A way to log in to the agent. */
export interface Login {
  readonly id: string;
  readonly name: string;
  /** What it does, or the command for a terminal that does the same. */
  readonly description: string;
}

export type Session =
  | { readonly phase: 'opening' }
  /** The agent repeats an earlier conversation, which we already have. */
  | { readonly phase: 'loading'; readonly hasTold: boolean }
  | { readonly phase: 'open'; readonly id: string }
  /** The agent wants a login first; a person chooses how. `line` opens the session after it. */
  | { readonly phase: 'login'; readonly line: string }
  /** There is no session; `why` is shown to the person. */
  | { readonly phase: 'refused'; readonly why: string };

export type Described = Extract<Observation, { type: 'session.started' }>;

/** The fold over the lines of one process: plain JSON, a few kilobytes, never mutated. Stored with the run: field names must not change. */
export interface State {
  readonly cwd: string;
  readonly session: Session;
  readonly version: string | null;
  /** The agent's own name of its program. */
  readonly agentName: string;
  /** The agent's title of the session, as it was last reported. */
  readonly title: string;
  /** The ways to log in. */
  readonly logins: readonly Login[];
  readonly canLoad: boolean;
  readonly abilities: readonly string[];
  /** The session's description, until the list of its commands arrives. */
  readonly described: Described | null;
  readonly configs: readonly Config[];
  readonly modes: readonly string[];
  /** Modes that are none of ours, as the agent names them. */
  readonly ownModes: readonly OwnMode[];
  readonly turn: Turn | null;
  /** Items so far, for ids where the agent has none. */
  readonly items: number;
  readonly lastInput: string;
  readonly text: OpenText | null;
  readonly tools: Readonly<Record<string, OpenTool>>;
  /** Finished calls, so that late or repeated updates don't start them again. */
  readonly doneTools: readonly string[];
  readonly asks: Readonly<Record<string, Ask>>;
  readonly contextTokens: number | null;
  readonly contextWindow: number | null;
  /** Cost of the whole session, as the agent counts it; null until the agent reports it. */
  readonly costUsd: number | null;
  /** The usage that the last answer reported. */
  readonly spent: Usage | null;
  /** The session started with this process, so its cost started at zero. */
  readonly isNew: boolean;
}

export const initial = (): State => ({
  cwd: '',
  session: { phase: 'opening' },
  version: null,
  agentName: '',
  title: '',
  logins: [],
  canLoad: false,
  abilities: [],
  described: null,
  configs: [],
  modes: [],
  ownModes: [],
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
  spent: null,
  isNew: false,
});

export type Step = FoldStep<State>;

import type { ModelSpent } from '../../../protocol/event.ts';
import type { Step as FoldStep } from '../../formats/fold.ts';
import type { OpenBlock } from '../../formats/open-blocks.ts';

/** The current message of one thread (the main one, or a subagent). */
export interface Thread {
  readonly messageId: string;
  /** Index of the next finished block that was not streamed. */
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
  /** The full name, as `init` prints it. */
  readonly resolved?: string;
  readonly alwaysThinks?: boolean;
}

/** The files that a requested rewind will touch. */
interface Rewindable {
  readonly files: readonly string[];
  readonly insertions?: number;
  readonly deletions?: number;
}

/** The handshake's answer, needed whenever the session is described again. */
interface Handshake {
  readonly commands: readonly NamedCommand[];
  readonly models: readonly NamedModel[];
}

interface KnownSession {
  readonly id: string;
  readonly model: string;
  readonly mode: string;
  /** Hash of everything else in `session.started`, so that it is reported again only when it changed. */
  readonly fingerprint: string;
}

/** The fold over the lines of one process: plain JSON, a few kilobytes, never mutated. Stored with the run: field names must not change. */
export interface State {
  readonly isTurnRunning: boolean;
  /** Why the next turn will start, when a line already said so. */
  readonly nextCause: string | null;
  /** The CLI accepted our interrupt: what it prints until the result is cut short. */
  readonly isInterrupting: boolean;
  readonly handshake: Handshake | null;
  readonly session: KnownSession | null;
  /** Separate from the others, because it changes with every part of a text. */
  readonly main: Thread | null;
  /** By the tool use id that started the subagent. */
  readonly subagents: Readonly<Record<string, Thread>>;
  readonly tasks: Readonly<Record<string, Task>>;
  /** Requests from the CLI: it echoes our answers, which must not be mistaken for its answers to us. */
  readonly asked: readonly string[];
  /** The requests that show a plan. */
  readonly plans: readonly string[];
  /** The requests that show a dialog. */
  readonly dialogs: readonly string[];
  /** Inputs already reported as taken. */
  readonly taken: readonly string[];
  readonly totalCostUsd: number;
  /** Usage of each model since the process started. */
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
  dialogs: [],
  taken: [],
  totalCostUsd: 0,
  totals: [],
  contextTokens: null,
  rewindable: null,
});

export type Step = FoldStep<State>;

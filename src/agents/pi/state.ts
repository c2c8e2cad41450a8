import type { PermissionMode } from '../../protocol/session.ts';
import type { Step as FoldStep } from '../formats/fold.ts';
import type { OpenBlock } from '../formats/open-blocks.ts';
import type { Spent } from '../formats/spent.ts';
import { NOTHING_SPENT } from '../formats/spent.ts';

/** The assistant message that is being written. */
interface OpenMessage {
  readonly id: string;
  readonly open: readonly OpenBlock[];
}

/** A call that has no result yet, as far as its result needs it. */
interface OpenTool {
  readonly path?: string;
}

/** What our extension reported; without it nothing is asked. */
interface Gate {
  readonly mode: PermissionMode;
  readonly tools: readonly string[];
  readonly version?: string;
}

interface Named {
  readonly name: string;
  readonly description?: string;
}

/** The answers arrive in any order. */
interface HandshakeAnswers {
  readonly commands?: readonly Named[];
  readonly models?: readonly { readonly value: string; readonly title?: string }[];
  readonly session?: { readonly id: string; readonly model?: string };
}

/** How the last answer of the model ended. */
interface LastAnswer {
  readonly stopReason: string;
  readonly error?: string;
  readonly text: string;
}

/** The fold over the lines of one process: plain JSON, a few kilobytes, never mutated. Stored with the run: field names must not change. */
export interface State {
  /** `settling`: the turn is over unless a retry, a compaction or a queued message follows. */
  readonly turn: 'idle' | 'running' | 'settling';
  /** A retry or a compaction is running. */
  readonly isMending: boolean;
  /** The input of a running shell command or requested compaction. */
  readonly errand: string | null;
  readonly message: OpenMessage | null;
  readonly lastMessageId: string;
  /** Inputs that Pi accepted but hasn't started on. */
  readonly inputs: readonly string[];
  /** Dialogs that may still wait for an answer. */
  readonly dialogs: readonly string[];
  readonly tools: Readonly<Record<string, OpenTool>>;
  readonly gate: Gate | null;
  /** Answers to the handshake until the session is described; null afterwards. */
  readonly greeting: HandshakeAnswers | null;
  readonly provider: string;
  readonly cwd: string;
  readonly thinking: string | null;
  readonly contextWindow: number | null;
  readonly contextTokens: number | null;
  readonly spent: Spent;
  readonly denials: number;
  readonly last: LastAnswer | null;
}

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

export type Step = FoldStep<State>;

import type { Cause, Compaction, ContextPoint, Finding } from '../../protocol/api/health.ts';

export interface OpenCall {
  readonly toolUseId: string;
  readonly name: string;
  readonly key: string;
  readonly seq: number;
  readonly at: string;
  /** The call inside which it was made; empty for the main thread. */
  readonly parent: string;
}

/** Consecutive failing calls of one thread. */
export interface Streak {
  readonly key: string;
  readonly name: string;
  readonly count: number;
  readonly seq: number;
  readonly at: string;
}

/** Everything that health remembers of a session: plain JSON of a few kilobytes, however long the session is. */
export interface HealthState {
  readonly seq: number;
  readonly lastAt: string;
  readonly agentSessionId: string | null;
  /** The agent has its own command that compacts its context. */
  readonly canCompact: boolean;
  readonly tokens: number | null;
  readonly window: number | null;
  readonly peakTokens: number;
  readonly peakShare: number | null;
  readonly compactionCount: number;
  readonly compactions: readonly Compaction[];
  /** Answers of the main thread since the last compaction, and the message of the last one: a message can have several texts. */
  readonly answers: number;
  readonly lastAnswer: string | null;
  readonly isOver: boolean;
  /** We run or ran its processes, so events show how they ended. Otherwise it is only known from another program's record. */
  readonly isOurs: boolean;
  readonly cause: { readonly cause: Cause; readonly seq: number } | null;
  readonly turn: { readonly seq: number; readonly at: string; readonly calls: number } | null;
  readonly openCalls: readonly OpenCall[];
  /** Pending requests: an agent that waits for a person is neither stuck nor silent. */
  readonly waiting: readonly string[];
  /** By thread. */
  readonly streaks: Readonly<Record<string, Streak>>;
  readonly errors: { readonly count: number; readonly seq: number; readonly at: string; readonly last: string } | null;
  /** Findings that are over, oldest first. */
  readonly past: readonly Finding[];
  readonly timeline: readonly ContextPoint[];
}

export const HEALTHY: HealthState = {
  seq: 0,
  lastAt: '',
  agentSessionId: null,
  canCompact: false,
  tokens: null,
  window: null,
  peakTokens: 0,
  peakShare: null,
  compactionCount: 0,
  compactions: [],
  answers: 0,
  lastAnswer: null,
  isOver: false,
  isOurs: false,
  cause: null,
  turn: null,
  openCalls: [],
  waiting: [],
  streaks: {},
  errors: null,
  past: [],
  timeline: [],
};

/** Upper bounds; beyond them the oldest entries are dropped. */
export const KEPT = { compactions: 100, openCalls: 200, waiting: 200, streaks: 32, past: 50, words: 200 } as const;

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

/** Failing calls in a row of one thread. */
export interface Streak {
  readonly key: string;
  readonly name: string;
  readonly count: number;
  readonly seq: number;
  readonly at: string;
}

/** Everything that health remembers of a session: plain JSON of a few kilobytes, whatever the session's length. */
export interface HealthState {
  readonly seq: number;
  readonly lastAt: string;
  readonly agentSessionId: string | null;
  /** The agent has a command of its own that shortens its memory. */
  readonly canCompact: boolean;
  readonly tokens: number | null;
  readonly window: number | null;
  readonly peakTokens: number;
  readonly peakShare: number | null;
  readonly compactionCount: number;
  readonly compactions: readonly Compaction[];
  readonly isOver: boolean;
  /** It has, or had, processes of ours: then events tell how they ended. Otherwise it is known from another program's record alone. */
  readonly isOurs: boolean;
  readonly cause: { readonly cause: Cause; readonly seq: number } | null;
  readonly turn: { readonly seq: number; readonly at: string; readonly calls: number } | null;
  readonly openCalls: readonly OpenCall[];
  /** Requests that wait for a person: who waits is neither stuck nor silent. */
  readonly waiting: readonly string[];
  /** By thread. */
  readonly streaks: Readonly<Record<string, Streak>>;
  readonly errors: { readonly count: number; readonly seq: number; readonly at: string; readonly last: string } | null;
  /** What is over, oldest first. */
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

/** Bounds of what is kept; past them the oldest is let go. */
export const KEPT = { compactions: 100, openCalls: 200, waiting: 200, streaks: 32, past: 50, words: 200 } as const;

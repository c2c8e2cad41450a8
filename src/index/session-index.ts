import type { Branch, IndexProgress, KeptState, RestoreAnswer } from '../protocol/api/archive.ts';
import type { SessionHealth } from '../protocol/api/health.ts';
import type { RawLine } from '../protocol/api/raw.ts';
import type { HitList, SearchQuery } from '../protocol/api/search.ts';
import type { UsageList, UsageQuery } from '../protocol/api/usage.ts';
import type { Refusal } from '../protocol/command.ts';
import type { Event } from '../protocol/event.ts';
import type { Project } from '../protocol/http.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import type { Session } from '../protocol/session.ts';

/** Past sessions, and search, usage and health over all sessions. */
export interface SessionIndex {
  /** A past session that has not been adopted. */
  session(id: SessionId): Promise<Session | undefined>;
  /** Events read from the agent's own record. */
  events(id: SessionId, page: PastEventsPage): Promise<readonly Event[]>;
  branches(id: SessionId): Promise<readonly Branch[]>;
  /** The raw lines of a page of events. */
  raw(id: SessionId, page: PastEventsPage): Promise<readonly RawLine[]>;
  blob(sha256: string): Promise<Uint8Array | undefined>;
  search(query: SearchQuery, hidden: Hidden): Promise<HitList>;
  usage(query: UsageQuery, hidden: Hidden): Promise<UsageList>;
  health(id: SessionId): Promise<SessionHealth | undefined>;
  projects(agent: string | undefined, hidden: Hidden): Promise<readonly Project[]>;
  /** The ids that past sessions of these conversations have. */
  pastIds(conversations: readonly string[]): readonly SessionId[];
  /** How many sessions each agent has, live and past. */
  counts(): Promise<Readonly<Record<string, number>>>;
  /** Agents whose records are read. */
  readonly agents: readonly PastAgentName[];
  progress(): IndexProgress;
  /** Deletes everything that can be rebuilt, and rebuilds it. */
  rebuild(): Promise<void>;
  kept(): Promise<KeptState>;
  keep(on: boolean): Promise<KeptState>;
  restore(id: SessionId): Promise<RestoreAnswer | Refusal>;
  /** Once this resolves, watchers get the events of this past session, until the returned function is called. */
  follow(id: SessionId): Promise<() => void>;
  /** Calls `listener` with what happens to past sessions from now on. Returns a function that stops it. */
  watch(listener: (news: IndexNews) => void): () => void;
}

export interface PastAgentName {
  readonly id: AgentId;
  readonly title: string;
  readonly icon: string;
}

export interface PastEventsPage {
  readonly after?: number;
  readonly before?: number;
  readonly branch?: number;
  readonly limit: number;
}

/** What the viewer is not allowed to see. */
export interface Hidden {
  readonly sessions: readonly SessionId[];
  /** The agents' own ids of private conversations. */
  readonly conversations: readonly string[];
}

export type IndexNews =
  /** `turned`: the conversation now continues from an earlier message, so what was shown last is no longer its end. */
  | { readonly kind: 'events'; readonly sessionId: SessionId; readonly events: readonly Event[]; readonly turned?: boolean }
  | { readonly kind: 'session'; readonly session: Session }
  /** It is gone, or has been adopted. */
  | { readonly kind: 'removed'; readonly sessionId: SessionId }
  | { readonly kind: 'progress'; readonly progress: IndexProgress };

const NO_USAGE = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costUsd: 0,
  unpricedTokens: 0,
  turns: 0,
  durationMs: 0,
  sessions: 0,
};

/** For an app without an archive. */
export const EMPTY_INDEX: SessionIndex = {
  session: async () => undefined,
  events: async () => [],
  branches: async () => [],
  raw: async () => [],
  blob: async () => undefined,
  search: async () => ({ hits: [], total: 0, more: false, whole: true }),
  usage: async ({ by = 'day' }) => ({ by, rows: [], total: NO_USAGE, unpriced: [], whole: true }),
  health: async () => undefined,
  projects: async () => [],
  pastIds: () => [],
  counts: async () => ({}),
  agents: [],
  progress: () => ({ phase: 'ready', sessions: { done: 0, total: 0 }, bytes: { done: 0, total: 0 }, unreadable: [] }),
  rebuild: async () => undefined,
  kept: async () => ({ on: false, files: 0, bytes: 0, rawBytes: 0, gone: 0 }),
  keep: async () => ({ on: false, files: 0, bytes: 0, rawBytes: 0, gone: 0 }),
  restore: async () => ({ refused: 'conflict', message: 'There is no copy of this session.' }),
  follow: async () => () => undefined,
  watch: () => () => undefined,
};

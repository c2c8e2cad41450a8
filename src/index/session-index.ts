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

/** Everything any agent ever did: past sessions, and what can be found and counted over all sessions. */
export interface Library {
  /** A past session that nobody here has taken up. */
  session(id: SessionId): Promise<Session | undefined>;
  /** What is read from the agent's own record. */
  events(id: SessionId, page: PastEventsPage): Promise<readonly Event[]>;
  branches(id: SessionId): Promise<readonly Branch[]>;
  /** The lines of the record itself, those of a page of events. */
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
  /** Drops everything that can be made again and makes it again. */
  rebuild(): Promise<void>;
  kept(): Promise<KeptState>;
  keep(on: boolean): Promise<KeptState>;
  restore(id: SessionId): Promise<RestoreAnswer | Refusal>;
  /** From when this resolves on, the events of this past session are told to those who watch, until it is called off. */
  follow(id: SessionId): Promise<() => void>;
  /** Calls `listener` with what happens to past sessions from now on. Returns the way out. */
  watch(listener: (news: LibraryNews) => void): () => void;
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

/** What the one who asks may not see. */
export interface Hidden {
  readonly sessions: readonly SessionId[];
  /** The agents' own ids of conversations that were closed. */
  readonly conversations: readonly string[];
}

export type LibraryNews =
  /** `turned`: the conversation goes on from an earlier place now, so that what was shown last is no longer its end. */
  | { readonly kind: 'events'; readonly sessionId: SessionId; readonly events: readonly Event[]; readonly turned?: boolean }
  | { readonly kind: 'session'; readonly session: Session }
  /** It is gone, or a session of ours has taken it up. */
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

/** A house without an archive. */
export const NO_LIBRARY: Library = {
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
  restore: async () => ({ refused: 'conflict', message: 'No copy of its record is kept.' }),
  follow: async () => () => undefined,
  watch: () => () => undefined,
};

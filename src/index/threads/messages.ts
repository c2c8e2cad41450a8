import type { PastSession } from '../../archive/archive.ts';
import type { IndexProgress } from '../../protocol/api/archive.ts';
import type { SearchQuery } from '../../protocol/api/search.ts';
import type { UsageQuery } from '../../protocol/api/usage.ts';
import type { Event } from '../../protocol/event.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';
import type { HealthBrief } from '../../protocol/session.ts';
import type { ReadBatch, ReadUpTo } from './read-batch.ts';

/** What the thread that reads records is asked. */
export type IndexingQuestion =
  | { readonly ask: 'takenUp'; readonly agent: AgentId; readonly agentSessionId: string; readonly base: number }
  | { readonly ask: 'settle'; readonly agent: AgentId; readonly agentSessionId: string }
  /** Events of this past session are told from now on. */
  | { readonly ask: 'follow'; readonly sessionId: SessionId; readonly on: boolean }
  /** Something was appended to the journal. */
  | { readonly ask: 'journal' }
  | Held
  /** The disk is nearly full, or has room again. */
  | { readonly ask: 'disk'; readonly low: boolean }
  | { readonly ask: 'kept' }
  | { readonly ask: 'keep'; readonly on: boolean }
  | { readonly ask: 'restore'; readonly sessionId: SessionId }
  | { readonly ask: 'rebuild' }
  | { readonly ask: 'close' };

/** The past sessions that other programs hold now. */
interface Held {
  readonly ask: 'held';
  readonly sessions: readonly SessionId[];
}

/** What it tells by itself. */
export type IndexingNews =
  | { readonly tell: 'listed'; readonly sessions: readonly PastSession[]; readonly removed: readonly SessionId[] }
  | { readonly tell: 'events'; readonly sessionId: SessionId; readonly events: readonly Event[]; readonly turned: boolean }
  | { readonly tell: 'grown'; readonly agent: AgentId; readonly agentSessionId: string }
  | { readonly tell: 'briefs'; readonly briefs: readonly (readonly [SessionId, HealthBrief])[] }
  | { readonly tell: 'progress'; readonly progress: IndexProgress }
  | { readonly tell: 'trouble'; readonly what: string; readonly reason: string };

/** What the thread that writes the library is told; each answer says of how many sessions something is missing then. */
export type FilingQuestion =
  | { readonly ask: 'begin'; readonly sessions: readonly ReadUpTo[] }
  | { readonly ask: 'read'; readonly batch: ReadBatch }
  | { readonly ask: 'listed'; readonly session: PastSession }
  | { readonly ask: 'removed'; readonly sessionId: SessionId }
  | { readonly ask: 'takenUp'; readonly sessionId: SessionId; readonly base: number }
  | { readonly ask: 'journal' }
  | Held
  | { readonly ask: 'retry' }
  | { readonly ask: 'settle' }
  | { readonly ask: 'rebuild' }
  | { readonly ask: 'close' };

export type FilingNews = { readonly tell: 'behind'; readonly behind: number } | Extract<IndexingNews, { readonly tell: 'briefs' | 'trouble' }>;

/** What the thread that answers about past sessions, hits and usage is asked. */
export type ReadingQuestion =
  | {
      readonly ask: 'events' | 'raw';
      readonly sessionId: SessionId;
      readonly page: { readonly after?: number; readonly before?: number; readonly branch?: number; readonly limit: number };
    }
  /** Of all branches. */
  | { readonly ask: 'batch'; readonly sessionId: SessionId; readonly after: number; readonly limit: number }
  | {
      readonly ask: 'lines';
      readonly agent: AgentId;
      readonly agentSessionId: string;
      readonly from: Readonly<Record<string, number>>;
      readonly limit: number;
    }
  | { readonly ask: 'session'; readonly sessionId: SessionId }
  | { readonly ask: 'branches'; readonly sessionId: SessionId }
  | { readonly ask: 'blob'; readonly sha256: string }
  | { readonly ask: 'search'; readonly query: SearchQuery; readonly hidden: readonly SessionId[] }
  | { readonly ask: 'usage'; readonly query: UsageQuery; readonly hidden: readonly SessionId[] }
  | { readonly ask: 'health'; readonly sessionId: SessionId }
  | Held
  | { readonly ask: 'close' };

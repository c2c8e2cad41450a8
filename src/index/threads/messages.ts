import type { PastSession } from '../../archive/archive.ts';
import type { IndexProgress } from '../../protocol/api/archive.ts';
import type { SearchQuery } from '../../protocol/api/search.ts';
import type { UsageQuery } from '../../protocol/api/usage.ts';
import type { Event } from '../../protocol/event.ts';
import type { AgentId, SessionId } from '../../protocol/ids.ts';
import type { HealthBrief } from '../../protocol/session.ts';
import type { ReadBatch, ReadUpTo } from './read-batch.ts';

/** Messages to the records thread. */
export type RecordsQuestion =
  | { readonly ask: 'adopted'; readonly agent: AgentId; readonly agentSessionId: string; readonly base: number }
  | { readonly ask: 'readNow'; readonly agent: AgentId; readonly agentSessionId: string }
  /** Whether events of this past session should be sent from now on. */
  | { readonly ask: 'follow'; readonly sessionId: SessionId; readonly on: boolean }
  /** Something was appended to the journal. */
  | { readonly ask: 'journal' }
  | OpenElsewhere
  /** The disk is nearly full, or has space again. */
  | { readonly ask: 'disk'; readonly low: boolean }
  | { readonly ask: 'kept' }
  | { readonly ask: 'keep'; readonly on: boolean }
  | { readonly ask: 'restore'; readonly sessionId: SessionId }
  | { readonly ask: 'rebuild' }
  | { readonly ask: 'close' };

/** The past sessions that other programs currently have open. */
interface OpenElsewhere {
  readonly ask: 'openElsewhere';
  readonly sessions: readonly SessionId[];
}

/** Messages from the records thread. */
export type RecordsNews =
  | { readonly kind: 'listed'; readonly sessions: readonly PastSession[]; readonly removed: readonly SessionId[] }
  | { readonly kind: 'events'; readonly sessionId: SessionId; readonly events: readonly Event[]; readonly turned: boolean }
  | { readonly kind: 'grown'; readonly agent: AgentId; readonly agentSessionId: string }
  | { readonly kind: 'briefs'; readonly briefs: readonly (readonly [SessionId, HealthBrief])[] }
  | { readonly kind: 'progress'; readonly progress: IndexProgress }
  | { readonly kind: 'problem'; readonly what: string; readonly reason: string };

/** Messages to the writer thread; each answer says how many sessions are not fully indexed at that point. */
export type WriterQuestion =
  | { readonly ask: 'begin'; readonly sessions: readonly ReadUpTo[] }
  | { readonly ask: 'read'; readonly batch: ReadBatch }
  | { readonly ask: 'listed'; readonly session: PastSession }
  | { readonly ask: 'removed'; readonly sessionId: SessionId }
  | { readonly ask: 'adopted'; readonly sessionId: SessionId; readonly base: number }
  | { readonly ask: 'journal' }
  | OpenElsewhere
  | { readonly ask: 'retry' }
  | { readonly ask: 'commit' }
  | { readonly ask: 'rebuild' }
  | { readonly ask: 'close' };

export type WriterNews = { readonly kind: 'behind'; readonly behind: number } | Extract<RecordsNews, { readonly kind: 'briefs' | 'problem' }>;

/** Messages to the reader thread, which answers questions about past sessions, hits, usage and health. */
export type ReaderQuestion =
  | {
      readonly ask: 'events' | 'raw';
      readonly sessionId: SessionId;
      readonly page: { readonly after?: number; readonly before?: number; readonly branch?: number; readonly limit: number };
    }
  /** In all branches. */
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
  | OpenElsewhere
  | { readonly ask: 'close' };

import { documentsOf, type SearchDocument } from '../../domain/search/document.ts';
import { fold } from '../../domain/search/fold.ts';
import { fullEvent } from '../../domain/search/full-text.ts';
import { containsAll } from '../../domain/search/occurrences.ts';
import type { ParsedQuery } from '../../domain/search/query.ts';
import { snippetOf } from '../../domain/search/snippet.ts';
import type { Hit } from '../../protocol/api/search.ts';
import type { Event } from '../../protocol/event.ts';
import type { KnownSession } from '../store/index-part.ts';
import type { FoundHits, HitSources } from '../store/index-store.ts';
import { encodeSearchCursor, type Row, type SearchCursor } from './cursor.ts';
import type { SessionLookup } from './filter.ts';
import type { OrderedRows } from './order.ts';
import { unpackFacts } from './row-facts.ts';

export interface Gathered {
  readonly query: ParsedQuery;
  readonly sources: HitSources;
  readonly sessions: SessionLookup;
  readonly nameOf: (number: number) => string | undefined;
  readonly limit: number;
  readonly given: number;
}

interface Gathering extends Gathered {
  readonly order: SearchCursor['order'];
  /** The matching rows, as far as they were counted. */
  readonly counted: { readonly rows: readonly Row[]; readonly isWhole: boolean };
}

/** After reading this many events that turn out not to match, an answer ends with what it has. */
const MISSES = 300;

/** Reads the events behind the rows, and keeps those whose text really matches. */
export function gatherHits(gathering: Gathering, rows: OrderedRows): FoundHits {
  const hits: Hit[] = [];
  let place: SearchCursor['after'] | undefined;
  for (let misses = 0; ; ) {
    const next = rows.next();
    if (next.done) return answer(gathering, hits, next.value);
    if (hits.length === gathering.limit || misses === MISSES) return answer(gathering, hits, place);
    const hit = hitOf(gathering, next.value);
    if (hit) hits.push(hit);
    else misses++;
    place = next.value;
  }
}

function answer({ order, counted, given, query }: Gathering, hits: readonly Hit[], after: SearchCursor['after'] | undefined): FoundHits {
  const nextCursor = after && encodeSearchCursor({ order, after, given: given + hits.length });
  const next = nextCursor !== undefined && { nextCursor };
  // If punctuation decides, only what was read is counted.
  if (query.terms.some((term) => term.isExact)) return { hits, total: given + hits.length, more: after !== undefined, ...next };
  return { hits, total: Math.max(counted.rows.length, given + hits.length), more: !counted.isWhole, ...next };
}

function hitOf({ query, sources, sessions, nameOf, order }: Gathering, row: Row): Hit | undefined {
  const session = sessions.byNumber(row.session);
  const read = session && sources.event(session.id, row.seq);
  if (session === undefined || read === undefined) return undefined;
  const event = fullEvent(read, (sha256) => sources.blob?.(sha256));
  const { isError, ...facts } = unpackFacts(row.facts);
  const document = order === 'touch' ? fileIn(event) : documentIn(facts.kind, event, session);
  if (document === undefined || !hasExactly(document.text, query)) return undefined;
  const { kind, text } = document;
  const [tool, path] = [nameOf(row.tool), nameOf(row.path)];
  return {
    sessionId: session.id,
    // A note is shown at the item it is about.
    seq: event.type === 'item.marked' ? event.target : row.seq,
    kind,
    ...snippetOf(text, query.terms),
    agent: session.agent,
    project: session.project,
    projectId: session.projectId,
    at: kind === 'title' ? session.createdAt : event.at,
    sessionTitle: session.title,
    ...(tool !== undefined && { tool }),
    ...(path !== undefined && { path }),
    ...(isError && { isError }),
  };
}

function documentIn(kind: Hit['kind'], event: Event, session: KnownSession): SearchDocument | undefined {
  if (kind === 'title') return { kind, text: session.title };
  return documentsOf(event).find((document) => document.kind === kind);
}

/** What an event did to a file, or the call that names it. */
function fileIn(event: Event): SearchDocument | undefined {
  const documents = documentsOf(event);
  return documents.find((document) => document.kind === 'diff') ?? documents.find((document) => document.kind === 'tool');
}

/** The index knows only words; punctuation is checked in the text. */
function hasExactly(text: string, query: ParsedQuery): boolean {
  const exact = query.terms.filter((term) => term.isExact);
  return exact.length === 0 || containsAll(fold(text), exact);
}

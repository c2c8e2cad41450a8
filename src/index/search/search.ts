import { type ParsedQuery, parseQuery } from '../../domain/search/query.ts';
import { type Database, intOf, type Row as SqlRow } from '../../journal/sqlite-driver.ts';
import type { SearchQuery } from '../../protocol/api/search.ts';
import { LIMITS } from '../../protocol/limits.ts';
import { BadCursor, BadQuery } from '../list/session-list.ts';
import type { FoundHits, HitSources } from '../store/index-store.ts';
import { decodeSearchCursor, type Row, type SearchCursor } from './cursor.ts';
import { type Filter, filterOf, nameLookup, sessionLookup } from './filter.ts';
import { type Gathered, gatherHits } from './hits.ts';
import { newestRows, rankedRows } from './order.ts';
import { HOW, packFacts } from './row-facts.ts';
import { type RowSource, rowSource, rowStatements } from './rows.ts';

export interface SearchReader {
  search(query: SearchQuery, sources: HitSources): FoundHits;
}

export function searchReader(db: Database): SearchReader {
  const names = nameLookup(db);
  const sessions = sessionLookup(db);
  const sql = { ...rowStatements(db), touches: touchStatements(db) };
  return {
    search(query, sources) {
      sessions.forget();
      const parsed = parseQuery(query);
      if ('refused' in parsed) throw new BadQuery(parsed.message);
      const cursor = query.cursor === undefined ? undefined : decodeSearchCursor(query.cursor);
      const filter = filterOf(names, sessions, parsed, (session) => sources.isHidden?.(session) ?? false);
      if (filter === undefined) return NOTHING;
      const gathered: Gathered = { query: parsed, sources, sessions, nameOf: names.nameOf, limit: query.limit ?? DEFAULT_HITS, given: cursor?.given ?? 0 };
      if (asksForFiles(parsed)) return filesTouched(sql, filter, gathered, cursor);
      return wordsFound(sql, filter, gathered, cursor);
    },
  };
}

type Statements = ReturnType<typeof rowStatements> & { readonly touches: ReturnType<typeof touchStatements> };

const NOTHING: FoundHits = { hits: [], total: 0, more: false };
const DEFAULT_HITS = Math.min(30, LIMITS.searchHits);

/** Beyond this many, an answer gives a lower bound. */
const COUNTED = 1000;

function wordsFound(sql: Statements, filter: Filter, gathered: Gathered, cursor: SearchCursor | undefined): FoundHits {
  const source = rowSource(sql, gathered.query, filter);
  if (source === undefined) return NOTHING;
  const first = source.newest(source.end, COUNTED + 1);
  const counted = { rows: first.slice(0, COUNTED).filter(filter.admits), isWhole: first.length <= COUNTED };
  const ranked = cursor?.order === 'newest' ? undefined : ranking(source, counted, cursor);
  if (cursor?.order === 'rank' && ranked === undefined) throw new BadCursor();
  if (ranked) return gatherHits({ ...gathered, order: 'rank', counted }, rankedRows(counted.rows, ranked, cursor?.after));
  return gatherHits({ ...gathered, order: 'newest', counted }, newestRows(source, filter, cursor?.after, { rows: first, isWhole: counted.isWhole }));
}

/** A few rows are ordered by score; many are ordered newest first. */
function ranking(source: RowSource, counted: { readonly rows: readonly Row[]; readonly isWhole: boolean }, cursor: SearchCursor | undefined) {
  return counted.isWhole || cursor?.order === 'rank' ? source.scores() : undefined;
}

const asksForFiles = (query: ParsedQuery): boolean =>
  query.paths.length > 0 && query.terms.length === 0 && query.tools.length === 0 && query.kinds.length === 0 && !query.isError;

function filesTouched(sql: Statements, filter: Filter, gathered: Gathered, cursor: SearchCursor | undefined): FoundHits {
  const rows = touchRows(sql.touches, filter, gathered.query);
  return gatherHits({ ...gathered, order: 'touch', counted: { rows, isWhole: true } }, rankedRows(rows, undefined, cursor?.after));
}

const touchStatements = (db: Database) => ({ of: db.prepare('SELECT path, session, seq, at, hows FROM touches WHERE path = ?') });

/** The last time each session touched a requested file: one row per session and file. */
function touchRows(sql: ReturnType<typeof touchStatements>, filter: Filter, query: ParsedQuery): readonly Row[] {
  const rows = [...(filter.paths ?? [])].flatMap((path) => sql.of.all(path).map(toRow));
  return rows.filter((row) => filter.admits(row) && isOfAgent(row, filter, query));
}

function isOfAgent({ session }: Row, { sessions }: Filter, { agents, session: wanted }: ParsedQuery): boolean {
  const known = sessions.byNumber(session);
  if (known === undefined || (wanted !== undefined && known.id !== wanted)) return false;
  return agents.length === 0 || agents.some((agent) => known.agent.startsWith(agent));
}

function toRow(row: SqlRow): Row {
  const facts = packFacts({ kind: 'tool', isError: false, isInherited: (intOf(row, 'hows') & HOW.own) === 0 });
  const [session, seq, at, path] = [intOf(row, 'session'), intOf(row, 'seq'), intOf(row, 'at'), intOf(row, 'path')];
  return { id: 0, slice: 0, session, seq, at, facts, tool: 0, path, score: 0 };
}

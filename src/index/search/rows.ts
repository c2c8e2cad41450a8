import type { ParsedQuery, Term } from '../../domain/search/query.ts';
import { type Database, intOf, type Row as SqlRow } from '../../journal/sqlite-driver.ts';
import type { Row } from './cursor.ts';
import type { Filter } from './filter.ts';
import { unpackFacts } from './row-facts.ts';
import { idsEndBefore, lowestId, SLICE_ROWS, sliceOf } from './row-ids.ts';

/** Rows of the index that match the words of a query. */
export interface RowSource {
  /** The newest rows, at most `limit`, before the filters that aren't facets. */
  newest(below: number, limit: number): readonly Row[];
  /** Rows of one slice in the order of an answer, starting at the `from`th. */
  slice(slice: number, from: number, limit: number): readonly Row[];
  /** Scores by row number; undefined if some word is too common to score in time. */
  scores(): ReadonlyMap<number, number> | undefined;
  readonly end: number;
}

/** Words with up to this many rows are scored; it takes a few microseconds per row. */
const RARE = 3000;

export function rowSource(sql: RowStatements, query: ParsedQuery, filter: Filter): RowSource | undefined {
  const words = query.terms.filter((term) => term.words.length > 0).map(phraseOf);
  const match = [...words, ...filter.facets.map(anyOf)].join(' AND ');
  if (match === '') return undefined;
  const from = query.after === undefined ? 0 : lowestId(query.after);
  const end = query.before === undefined ? Number.MAX_SAFE_INTEGER : idsEndBefore(query.before, Number(sql.spill.get()?.slices ?? 0));
  return {
    end,
    newest: (below, limit) => sql.rows.all(match, from, Math.min(below, end), limit).map(toRow),
    slice: (slice, skipped, limit) =>
      sql.slice.all(match, Math.max(slice * SLICE_ROWS, from), Math.min((slice + 1) * SLICE_ROWS, end), limit, skipped).map(toRow),
    scores: () => (words.length > 0 && words.every((word) => isRare(sql, word)) ? scored(sql, words.join(' AND ')) : undefined),
  };
}

/** A number this large is bound as a REAL, which FTS5 can't use as a bound: it would scan all rows of the word. */
const WITHIN = 'rowid >= CAST(?2 AS INTEGER) AND rowid < CAST(?3 AS INTEGER)';

type RowStatements = ReturnType<typeof rowStatements>;

export function rowStatements(db: Database) {
  return {
    rows: db.prepare(`
      SELECT docs.* FROM (SELECT rowid AS id FROM words WHERE words MATCH ?1 AND ${WITHIN} ORDER BY rowid DESC LIMIT ?4) AS found
      CROSS JOIN docs ON docs.id = found.id`),
    // The same order as compareRows, for rows of one slice and without score.
    slice: db.prepare(`
      SELECT docs.* FROM (SELECT rowid AS id FROM words WHERE words MATCH ?1 AND ${WITHIN}) AS found
      CROSS JOIN docs ON docs.id = found.id ORDER BY docs.at DESC, docs.session DESC, docs.seq DESC, docs.facts LIMIT ?4 OFFSET ?5`),
    count: db.prepare('SELECT count(*) AS count FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)'),
    scores: db.prepare('SELECT rowid AS id, bm25(words) AS score FROM words WHERE words MATCH ?'),
    spill: db.prepare('SELECT slices FROM spill'),
  };
}

const phraseOf = ({ words, isPrefix }: Term): string => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`;
const anyOf = (facets: readonly string[]): string => `(${facets.map((facet) => `"${facet}"`).join(' OR ')})`;

const isRare = (sql: RowStatements, word: string): boolean => Number(sql.count.get(word, RARE + 1)?.count ?? 0) <= RARE;

const scored = (sql: RowStatements, match: string): ReadonlyMap<number, number> =>
  new Map(sql.scores.all(match).map((row) => [intOf(row, 'id'), -Number(row.score)]));

/** What people wrote weighs more than tool output. */
const WEIGHTS = { title: 3, note: 3, prompt: 2, answer: 1.5, thinking: 1, tool: 1, diff: 1, output: 0.7 } as const;

export const weighted = (row: Row, score: number): Row => ({ ...row, score: score * WEIGHTS[unpackFacts(row.facts).kind], slice: 0 });

function toRow(row: SqlRow): Row {
  const id = intOf(row, 'id');
  return {
    id,
    slice: sliceOf(id),
    session: intOf(row, 'session'),
    seq: intOf(row, 'seq'),
    at: intOf(row, 'at'),
    facts: intOf(row, 'facts'),
    tool: intOf(row, 'tool'),
    path: intOf(row, 'path'),
    score: 0,
  };
}

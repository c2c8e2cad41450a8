import { compareRows, type Row, type SearchCursor } from './search-cursor.ts';
import type { Filter } from './search-filter.ts';
import { SLICE_ROWS } from './search-ids.ts';
import { type RowSource, weighted } from './search-rows.ts';

type Place = SearchCursor['after'];

/** Rows in the order of an answer. Ends with a place to go on from when it was only enough for now. */
export type OrderedRows = Generator<Row, Place | undefined>;

/** Rows that are all known, best first. */
export function* rankedRows(rows: readonly Row[], scores: ReadonlyMap<number, number> | undefined, after: Place | undefined): OrderedRows {
  const placed = scores === undefined ? rows : rows.map((row) => weighted(row, scores.get(row.id) ?? 0));
  yield* [...placed].sort(compareRows).filter((row) => after === undefined || compareRows(after, row) < 0);
  return undefined;
}

/** Rows that one question brings; a page of hits seldom needs more than one. */
const AT_ONCE = 256;

/** One answer looks at so many rows at most, also when its filters let none of them pass. */
const LOOKED_AT = 20_000;

/** Rows newest first, brought as they are asked for. */
export function* newestRows(source: RowSource, filter: Filter, after: Place | undefined, first: readonly Row[]): OrderedRows {
  let below = after === undefined ? source.end : (after.slice + 1) * SLICE_ROWS;
  // The first page is in what was brought for counting.
  let brought = after === undefined ? first.slice(0, AT_ONCE) : undefined;
  let looked = 0;
  while (looked < LOOKED_AT) {
    const found = brought ?? source.newest(below, AT_ONCE);
    brought = undefined;
    const lowest = found.at(-1);
    if (lowest === undefined) return undefined;
    const isLast = found.length < AT_ONCE;
    const rows = isLast ? found : wholeSlices(source, found, lowest.slice);
    looked += rows.length;
    yield* rows.filter((row) => (after === undefined || compareRows(after, row) < 0) && filter.admits(row)).sort(compareRows);
    if (isLast) return undefined;
    below = lowest.slice * SLICE_ROWS;
  }
  return { slice: below / SLICE_ROWS, score: 0, at: Number.MAX_SAFE_INTEGER, session: 0, seq: 0, facts: 0 };
}

/** Order within a slice is by time, which takes all its rows. */
function wholeSlices(source: RowSource, found: readonly Row[], lowest: number): readonly Row[] {
  return [...found.filter((row) => row.slice > lowest), ...source.slice(lowest)];
}

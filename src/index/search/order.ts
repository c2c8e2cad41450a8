import { compareRows, type Row, type SearchCursor } from './cursor.ts';
import type { Filter } from './filter.ts';
import { SLICE_ROWS } from './row-ids.ts';
import { type RowSource, weighted } from './rows.ts';

type Place = SearchCursor['after'];

/** Rows in the order of an answer. Returns a position to continue from if there may be more. */
export type OrderedRows = Generator<Row, Place | undefined>;

/** Rows that are all known, best first. */
export function* rankedRows(rows: readonly Row[], scores: ReadonlyMap<number, number> | undefined, after: Place | undefined): OrderedRows {
  const ranked = scores === undefined ? rows : rows.map((row) => weighted(row, scores.get(row.id) ?? 0));
  yield* [...ranked].sort(compareRows).filter((row) => after === undefined || compareRows(after, row) < 0);
  return undefined;
}

/** Rows fetched by one query; a page of hits rarely needs more. */
const AT_ONCE = 256;

/** One answer examines at most this many rows, even if its filters reject all of them. */
const MOST_EXAMINED = 20_000;

/** Rows newest first, fetched on demand. `first` are the newest ones, already fetched for counting. */
export function* newestRows(source: RowSource, filter: Filter, after: Place | undefined, first: NewestRows): OrderedRows {
  const isNext = (row: Row): boolean => (after === undefined || compareRows(after, row) < 0) && filter.admits(row);
  let below = after === undefined ? source.end : (after.slice + 1) * SLICE_ROWS;
  let fetched: NewestRows | undefined = after === undefined ? first : undefined;
  for (let examined = 0; examined < MOST_EXAMINED; ) {
    const { rows, isWhole } = fetched ?? newest(source, below);
    fetched = undefined;
    const lowest = rows.at(-1);
    if (lowest === undefined) return undefined;
    const inWholeSlices = isWhole ? rows : rows.filter(({ slice }) => slice > lowest.slice);
    yield* inWholeSlices.filter(isNext).sort(compareRows);
    if (isWhole) return undefined;
    examined += inWholeSlices.length;
    for (const found of pagesOf(source, lowest.slice)) {
      examined += found.length;
      yield* found.filter(isNext);
    }
    below = lowest.slice * SLICE_ROWS;
  }
  return { slice: below / SLICE_ROWS - 1, score: 0, at: Number.MAX_SAFE_INTEGER, session: 0, seq: 0, facts: 0 };
}

/** Rows newest first by number, which is not by time within a slice; `isWhole` if there are no others. */
interface NewestRows {
  readonly rows: readonly Row[];
  readonly isWhole: boolean;
}

function newest(source: RowSource, below: number): NewestRows {
  const rows = source.newest(below, AT_ONCE);
  return { rows, isWhole: rows.length < AT_ONCE };
}

/** Within a slice the order is by time, so all its rows are read. */
function* pagesOf(source: RowSource, slice: number): Generator<readonly Row[]> {
  for (let from = 0; ; from += AT_ONCE) {
    const page = source.slice(slice, from, AT_ONCE);
    yield page;
    if (page.length < AT_ONCE) return;
  }
}

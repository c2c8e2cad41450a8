import { compareRows, type Row, type SearchCursor } from './cursor.ts';
import type { Filter } from './filter.ts';
import { SLICE_ROWS } from './row-ids.ts';
import { type RowSource, weighted } from './rows.ts';

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

/** Rows newest first, brought as they are asked for. `first` are the newest of all, as far as they were brought for counting. */
export function* newestRows(source: RowSource, filter: Filter, after: Place | undefined, first: NewestRows): OrderedRows {
  const isNext = (row: Row): boolean => (after === undefined || compareRows(after, row) < 0) && filter.admits(row);
  let below = after === undefined ? source.end : (after.slice + 1) * SLICE_ROWS;
  let brought: NewestRows | undefined = after === undefined ? first : undefined;
  for (let looked = 0; looked < LOOKED_AT; ) {
    const { rows, isWhole } = brought ?? newest(source, below);
    brought = undefined;
    const lowest = rows.at(-1);
    if (lowest === undefined) return undefined;
    const inWholeSlices = isWhole ? rows : rows.filter(({ slice }) => slice > lowest.slice);
    yield* inWholeSlices.filter(isNext).sort(compareRows);
    if (isWhole) return undefined;
    looked += inWholeSlices.length;
    for (const found of pagesOf(source, lowest.slice)) {
      looked += found.length;
      yield* found.filter(isNext);
    }
    below = lowest.slice * SLICE_ROWS;
  }
  return { slice: below / SLICE_ROWS - 1, score: 0, at: Number.MAX_SAFE_INTEGER, session: 0, seq: 0, facts: 0 };
}

/** Rows newest first by their numbers, which within a slice is not by time; `isWhole` when there are no others. */
interface NewestRows {
  readonly rows: readonly Row[];
  readonly isWhole: boolean;
}

function newest(source: RowSource, below: number): NewestRows {
  const rows = source.newest(below, AT_ONCE);
  return { rows, isWhole: rows.length < AT_ONCE };
}

/** Order within a slice is by time, for which all its rows are looked at where they lie. */
function* pagesOf(source: RowSource, slice: number): Generator<readonly Row[]> {
  for (let from = 0; ; from += AT_ONCE) {
    const page = source.slice(slice, from, AT_ONCE);
    yield page;
    if (page.length < AT_ONCE) return;
  }
}

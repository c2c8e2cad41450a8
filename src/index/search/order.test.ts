import { expect, test } from 'vitest';
import { compareRows, type Row, type SearchCursor } from './cursor.ts';
import type { Filter } from './filter.ts';
import { newestRows } from './order.ts';
import { SLICE_ROWS } from './row-ids.ts';
import type { RowSource } from './rows.ts';

/** More rows than one answer examines, in slices of a few rows each, whose numbers are not in order of time. */
const ROWS: readonly Row[] = Array.from({ length: 50_000 }, (_, at) => {
  const slice = Math.floor(at / 70);
  return { id: slice * SLICE_ROWS + (at % 70), slice, session: 1, seq: at + 1, at: slice * 1000 + ((at * 37) % 70), facts: 0, tool: 0, path: 0, score: 0 };
});

const byNumber = [...ROWS].sort((a, b) => b.id - a.id);

const source: RowSource = {
  end: Number.MAX_SAFE_INTEGER,
  newest: (below, limit) => byNumber.filter(({ id }) => id < below).slice(0, limit),
  slice: (slice, from, limit) =>
    ROWS.filter((row) => row.slice === slice)
      .sort(compareRows)
      .slice(from, from + limit),
  scores: () => undefined,
};

test('reading page by page returns every row that a narrow filter matches once, newest first', () => {
  const admits = ({ seq }: Row): boolean => seq % 613 === 0;
  const first = { rows: source.newest(source.end, 1001), isWhole: false };
  const found: Row[] = [];
  let answers = 0;
  for (let after: SearchCursor['after'] | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const rows = newestRows(source, { admits } as Filter, after, first);
    answers++;
    let next = rows.next();
    for (; !next.done; next = rows.next()) found.push(next.value);
    after = next.value;
  }

  expect(answers).toBeGreaterThan(2);
  expect(found.map(({ seq }) => seq)).toEqual(
    [...ROWS]
      .sort(compareRows)
      .filter(admits)
      .map(({ seq }) => seq),
  );
});

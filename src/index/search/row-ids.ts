import type { SearchStatements } from './search-sql.ts';

/**
 * Rows are numbered by time: a slice of about 17 minutes has 4096 numbers, used in order. So the newest rows have the highest
 * numbers, whenever they were read, and an answer can start with them and stop; rows of one session are adjacent, which keeps the
 * index small. A full slice spills into later ones; `spill` stores how far that has ever gone.
 */
const SLICE_MS = 1024 * 1000;
export const SLICE_ROWS = 4096;

const sliceAt = (ms: number): number => Math.max(0, Math.floor(ms / SLICE_MS));
export const sliceOf = (id: number): number => Math.floor(id / SLICE_ROWS);

/** The lowest number that a row of this moment or later can have. */
export const lowestId = (ms: number): number => sliceAt(ms) * SLICE_ROWS;

/** The lowest number above all rows of earlier moments. */
export const idsEndBefore = (ms: number, spill: number): number => (sliceAt(ms) + spill + 1) * SLICE_ROWS;

/** Allocates numbers within one transaction. */
export function idAllocator(sql: Pick<SearchStatements, 'lastIn' | 'spill'>): (ms: number) => number {
  const free = new Map<number, number>();
  const freeIn = (slice: number) => free.get(slice) ?? Number(sql.lastIn.get(slice * SLICE_ROWS, (slice + 1) * SLICE_ROWS)?.id ?? slice * SLICE_ROWS - 1) + 1;
  // Where rows of a full slice go: thousands may have the same timestamp.
  const spilledTo = new Map<number, number>();
  return (ms) => {
    const wanted = sliceAt(ms);
    let slice = spilledTo.get(wanted) ?? wanted;
    let id = freeIn(slice);
    for (; id === (slice + 1) * SLICE_ROWS; id = freeIn(slice)) {
      slice++;
      spilledTo.set(wanted, slice);
      sql.spill.run(slice - wanted);
    }
    free.set(slice, id + 1);
    return id;
  };
}

import { bytesOf, intOf, type Row } from '../../journal/sqlite-driver.ts';
import type { DaySums } from './day-totals.ts';
import type { UsageStatements } from './usage-sql.ts';

/** One usage entry, as stored. */
export interface Entry {
  /** The start of a hash of its key. */
  readonly key: Uint8Array;
  readonly session: number;
  /** Its day and model, as a number. */
  readonly kind: number;
  /** In the order of `FIGURES`. */
  readonly figures: readonly number[];
}

export const FIGURES = ['input', 'output', 'cache_read', 'cache_write', 'cost_nano', 'turns', 'duration_ms'] as const;

interface Copy extends Entry {
  readonly counts: boolean;
}

/**
 * Among copies of a key, the one in the session that was created first counts, whatever order they were read in.
 * Returns whether the session has it for the first time.
 */
export function putEntry(sql: UsageStatements, sums: DaySums, entry: Entry): boolean {
  // Nearly every entry has no copy.
  if (sql.hasKey.get(entry.key) === undefined) {
    insert(sql, entry, 1);
    sums.add(entry, 1);
    return true;
  }
  const copies = copiesOf(sql, entry.key);
  recount(sql, sums, copies, () => {
    insert(sql, entry, 0);
    return copiesOf(sql, entry.key);
  });
  return !copies.some((copy) => copy.session === entry.session);
}

export function dropEntry(sql: UsageStatements, sums: DaySums, key: Uint8Array, session: number): void {
  const copies = copiesOf(sql, key);
  recount(sql, sums, copies, () => {
    sql.dropEntry.run(key, session);
    return copies.filter((copy) => copy.session !== session);
  });
}

export function recountEntry(sql: UsageStatements, sums: DaySums, key: Uint8Array): void {
  const copies = copiesOf(sql, key);
  recount(sql, sums, copies, () => copies);
}

const insert = (sql: UsageStatements, { key, session, kind, figures }: Entry, counts: number): unknown =>
  sql.putEntry.run(key, session, kind, counts, ...figures);

function recount(sql: UsageStatements, sums: DaySums, before: readonly Copy[], change: () => readonly Copy[]): void {
  const counted = before.find((copy) => copy.counts);
  if (counted !== undefined) sums.add(counted, -1);
  const [first] = change();
  if (first === undefined) return;
  if (counted !== undefined && counted.session !== first.session) sql.setCounts.run(first.key, counted.session, 0);
  sql.setCounts.run(first.key, first.session, 1);
  sums.add(first, 1);
}

/** The one in the session that was created first comes first. */
const copiesOf = (sql: UsageStatements, key: Uint8Array): readonly Copy[] => sql.copies.all(key).map(toCopy);

const toCopy = (row: Row): Copy => ({
  key: bytesOf(row, 'key'),
  session: intOf(row, 'session'),
  kind: intOf(row, 'kind'),
  figures: FIGURES.map((figure) => intOf(row, figure)),
  counts: intOf(row, 'counts') === 1,
});

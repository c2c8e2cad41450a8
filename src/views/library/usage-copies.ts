import { intOf, type Row, type SqlValue, textOf } from '../../journal/sqlite-driver.ts';
import type { DaySums } from './usage-days.ts';
import type { UsageStatements } from './usage-sql.ts';

/** Of the copies of a key the one in the session that was created first counts: the same in whatever order they were read. */
export function putEntry(sql: UsageStatements, sums: DaySums, entry: Row): void {
  const key = textOf(entry, 'key');
  const copies = sql.copies.all(key);
  if (copies.length === 0) return addFirst(sql, sums, entry);
  recount(sql, sums, copies, () => {
    sql.putEntry.run(...valuesOf(entry), 0);
    return sql.copies.all(key);
  });
}

export function dropEntry(sql: UsageStatements, sums: DaySums, key: string, session: number): void {
  const copies = sql.copies.all(key);
  recount(sql, sums, copies, () => {
    sql.dropEntry.run(key, session);
    return copies.filter((copy) => copy.session !== session);
  });
}

export function recountEntry(sql: UsageStatements, sums: DaySums, key: string): void {
  const copies = sql.copies.all(key);
  recount(sql, sums, copies, () => copies);
}

/** Nearly every entry has no copy. */
function addFirst(sql: UsageStatements, sums: DaySums, entry: Row): void {
  sql.putEntry.run(...valuesOf(entry), 1);
  sums.add(entry, 1);
}

function recount(sql: UsageStatements, sums: DaySums, before: readonly Row[], change: () => readonly Row[]): void {
  const counted = before.find((copy) => copy.counts === 1);
  if (counted !== undefined) sums.add(counted, -1);
  const [first] = change();
  if (first === undefined) return;
  const key = textOf(first, 'key');
  if (counted !== undefined && counted.session !== first.session) sql.setCounts.run(key, intOf(counted, 'session'), 0);
  sql.setCounts.run(key, intOf(first, 'session'), 1);
  sums.add(first, 1);
}

const COLUMNS = ['key', 'session', 'day', 'model', 'input', 'output', 'cache_read', 'cache_write', 'cost_nano', 'turns', 'duration_ms'] as const;
const valuesOf = (entry: Row): readonly SqlValue[] => COLUMNS.map((column) => entry[column] ?? null);

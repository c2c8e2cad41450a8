import { intOf, type Row, textOf } from '../../journal/sqlite-driver.ts';
import type { UsageStatements } from './usage-sql.ts';

/** Changes the copies of a key, after which the one in the session that was created first counts: the same in whatever order they were read. */
export function recount(sql: UsageStatements, key: string, change: () => unknown): void {
  const counted = sql.copies.all(key).find((copy) => copy.counts === 1);
  if (counted !== undefined) add(sql, counted, -1);
  change();
  const [first] = sql.copies.all(key);
  if (first === undefined) return;
  if (counted !== undefined && counted.session !== first.session) sql.setCounts.run(key, intOf(counted, 'session'), 0);
  sql.setCounts.run(key, intOf(first, 'session'), 1);
  add(sql, first, 1);
}

export const withdraw = (sql: UsageStatements, key: string, session: number): void => recount(sql, key, () => sql.dropEntry.run(key, session));

const SUMS = ['input', 'output', 'cache_read', 'cache_write', 'cost_nano', 'turns', 'duration_ms'] as const;

function add(sql: UsageStatements, entry: Row, sign: 1 | -1): void {
  const day = [intOf(entry, 'session'), textOf(entry, 'day'), textOf(entry, 'model'), entry.cost_nano === null ? 0 : 1] as const;
  sql.add.run(...day, sign, ...SUMS.map((column) => sign * Number(entry[column])));
  if (sign < 0) sql.sweep.run(...day);
}

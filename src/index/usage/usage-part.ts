import type { PriceOf } from '../../domain/usage/price.ts';
import { type Database, textOf } from '../../journal/sqlite-driver.ts';
import type { IndexPart, KnownSession, PartWriter, UsageReader } from '../store/index-part.ts';
import { daySums } from './day-totals.ts';
import { dropEntry, recountEntry } from './duplicates.ts';
import { keysOf } from './entry-keys.ts';
import { CountedUsage } from './pending-entries.ts';
import { readUsage } from './query-usage.ts';
import { USAGE_SCHEMA, type UsageStatements, usageStatements } from './usage-sql.ts';

/** The usage of every session. Prices are looked up on reading, so a new price applies to old lines too. */
export const usagePart = (priceOf: PriceOf): IndexPart<PartWriter, UsageReader> => ({
  name: 'usage',
  version: 2,
  schema: USAGE_SCHEMA,
  write: usageWriter,
  read: (db) => ({ usage: readUsage(db, priceOf) }),
});

function usageWriter(db: Database): PartWriter {
  const sql = usageStatements(db);
  const counted = new CountedUsage(sql);
  return {
    take: (session, events, spent) => counted.count(session, events, spent),
    describe: (session) => {
      counted.write();
      const row = sql.state.get(session.number);
      if (row !== undefined && row.created_at !== session.createdAt) recountAll(sql, session, textOf(row, 'state'));
    },
    forget: (session) => {
      counted.write();
      const sums = daySums(sql);
      for (const key of keysOf(sql, session)) dropEntry(sql, sums, key, session);
      sums.write();
      sql.dropKeys.run(session);
      sql.dropState.run(session);
    },
    clear: () => db.exec('DELETE FROM usage_entries; DELETE FROM usage_keys; DELETE FROM usage_kinds; DELETE FROM usage_days; DELETE FROM usage_states'),
    ending: () => counted.write(),
    ended: () => counted.clear(),
  };
}

/** Which copies count depends on when sessions were created: if that changes, all entries of the session are checked again. */
function recountAll(sql: UsageStatements, { number, createdAt }: KnownSession, state: string): void {
  const sums = daySums(sql);
  for (const key of keysOf(sql, number)) recountEntry(sql, sums, key);
  sums.write();
  sql.putState.run(number, createdAt, state);
}

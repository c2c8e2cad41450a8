import { countUsage, NOTHING_COUNTED, type UsageState } from '../../domain/usage/count.ts';
import type { UsageEntry } from '../../domain/usage/entry.ts';
import type { PriceOf } from '../../domain/usage/price.ts';
import { type Database, jsonOf, type Row, textOf } from '../../journal/sqlite-driver.ts';
import type { KnownSession, LibraryPart, PartWriter, UsageReader } from './part.ts';
import { dropEntry, putEntry, recountEntry } from './usage-copies.ts';
import { daySums } from './usage-days.ts';
import { readUsage } from './usage-read.ts';
import { USAGE_SCHEMA, type UsageStatements, usageStatements } from './usage-sql.ts';

/** What every session spent. Prices are asked for when somebody reads, so a new one holds for old lines too. */
export const usagePart = (priceOf: PriceOf): LibraryPart<PartWriter, UsageReader> => ({
  name: 'usage',
  version: 1,
  schema: USAGE_SCHEMA,
  write: usageWriter,
  read: (db) => ({ usage: readUsage(db, priceOf) }),
});

function usageWriter(db: Database): PartWriter {
  const sql = usageStatements(db);
  return {
    take: (session, events, spent) => {
      const known = stateOf(sql, session.number);
      const { state, entries } = countUsage(known, events, spent);
      const sums = daySums(sql);
      for (const entry of entries) putEntry(sql, sums, rowOf(session, entry));
      sums.write();
      sql.putState.run(session.number, session.createdAt, JSON.stringify(state));
    },
    describe: (session) => {
      const row = sql.state.get(session.number);
      if (row !== undefined && row.created_at !== session.createdAt) recountAll(sql, session, textOf(row, 'state'));
    },
    forget: (session) => {
      const sums = daySums(sql);
      for (const row of sql.keysOf.all(session)) dropEntry(sql, sums, textOf(row, 'key'), session);
      sums.write();
      sql.dropState.run(session);
    },
    clear: () => db.exec('DELETE FROM usage_entries; DELETE FROM usage_days; DELETE FROM usage_states'),
  };
}

/** Which copies count hangs on when sessions were created: told otherwise than before, all of its own are looked at again. */
function recountAll(sql: UsageStatements, { number, createdAt }: KnownSession, state: string): void {
  const sums = daySums(sql);
  for (const row of sql.keysOf.all(number)) recountEntry(sql, sums, textOf(row, 'key'));
  sums.write();
  sql.putState.run(number, createdAt, state);
}

function stateOf(sql: UsageStatements, session: number): UsageState {
  const row = sql.state.get(session);
  return row === undefined ? NOTHING_COUNTED : (jsonOf(row, 'state') as UsageState);
}

const rowOf = (session: KnownSession, entry: UsageEntry): Row => ({
  key: entry.isShared ? `${session.agent} ${entry.key}` : `${session.number} ${entry.key}`,
  session: session.number,
  day: entry.day,
  model: entry.model,
  input: Math.round(entry.usage.inputTokens),
  output: Math.round(entry.usage.outputTokens),
  cache_read: Math.round(entry.usage.cacheReadTokens),
  cache_write: Math.round(entry.usage.cacheWriteTokens),
  // Whole billionths of a dollar.
  cost_nano: entry.costUsd === undefined ? null : Math.round(entry.costUsd * 1e9),
  turns: entry.turns,
  duration_ms: Math.round(entry.durationMs),
});

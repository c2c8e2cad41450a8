import { countUsage, NOTHING_COUNTED, type UsageState } from '../../domain/usage/count.ts';
import type { UsageEntry } from '../../domain/usage/entry.ts';
import type { PriceOf } from '../../domain/usage/price.ts';
import { type Database, jsonOf, textOf } from '../../journal/sqlite-driver.ts';
import type { KnownSession, LibraryPart, PartWriter, UsageReader } from './part.ts';
import { recount, withdraw } from './usage-copies.ts';
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
      for (const entry of entries) put(sql, session, entry);
      if (state !== known) sql.putState.run(session.number, JSON.stringify(state));
    },
    forget: (session) => {
      for (const row of sql.keysOf.all(session)) withdraw(sql, textOf(row, 'key'), session);
      sql.dropState.run(session);
    },
    clear: () => db.exec('DELETE FROM usage_entries; DELETE FROM usage_days; DELETE FROM usage_states'),
  };
}

function stateOf(sql: UsageStatements, session: number): UsageState {
  const row = sql.state.get(session);
  return row === undefined ? NOTHING_COUNTED : (jsonOf(row, 'state') as UsageState);
}

function put(sql: UsageStatements, session: KnownSession, entry: UsageEntry): void {
  const { day, model, usage, costUsd, turns, durationMs } = entry;
  const key = entry.isShared ? `${session.agent} ${entry.key}` : `${session.number} ${entry.key}`;
  const tokens = [usage.inputTokens, usage.outputTokens, usage.cacheReadTokens, usage.cacheWriteTokens].map(Math.round);
  recount(sql, key, () =>
    sql.putEntry.run(key, session.number, day, model, ...tokens, costUsd === undefined ? null : Math.round(costUsd * NANO), turns, Math.round(durationMs)),
  );
}

/** Costs are kept as whole billionths of a dollar. */
const NANO = 1e9;

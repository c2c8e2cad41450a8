import { countUsage, NOTHING_COUNTED, type UsageState } from '../../domain/usage/count.ts';
import type { UsageEntry } from '../../domain/usage/entry.ts';
import type { PriceOf } from '../../domain/usage/price.ts';
import { type Database, jsonOf, textOf } from '../../journal/sqlite-driver.ts';
import type { KnownSession, LibraryPart, PartWriter, UsageReader } from './part.ts';
import { dropEntry, type Entry, putEntry, recountEntry } from './usage-copies.ts';
import { daySums } from './usage-days.ts';
import { keepKeys, keyOf, keysOf } from './usage-keys.ts';
import { readUsage } from './usage-read.ts';
import { USAGE_SCHEMA, type UsageStatements, usageStatements } from './usage-sql.ts';

/** What every session spent. Prices are asked for when somebody reads, so a new one holds for old lines too. */
export const usagePart = (priceOf: PriceOf): LibraryPart<PartWriter, UsageReader> => ({
  name: 'usage',
  version: 2,
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
      const kindOf = kinds(sql);
      const rows = entries.map((entry) => rowOf(session, entry, kindOf(entry)));
      const fresh = rows.filter((row) => putEntry(sql, sums, row));
      sums.write();
      keepKeys(sql, session.number, fresh);
      sql.putState.run(session.number, session.createdAt, JSON.stringify(state));
    },
    describe: (session) => {
      const row = sql.state.get(session.number);
      if (row !== undefined && row.created_at !== session.createdAt) recountAll(sql, session, textOf(row, 'state'));
    },
    forget: (session) => {
      const sums = daySums(sql);
      for (const key of keysOf(sql, session)) dropEntry(sql, sums, key, session);
      sums.write();
      sql.dropKeys.run(session);
      sql.dropState.run(session);
    },
    clear: () => db.exec('DELETE FROM usage_entries; DELETE FROM usage_keys; DELETE FROM usage_kinds; DELETE FROM usage_days; DELETE FROM usage_states'),
  };
}

/** Which copies count hangs on when sessions were created: told otherwise than before, all of its own are looked at again. */
function recountAll(sql: UsageStatements, { number, createdAt }: KnownSession, state: string): void {
  const sums = daySums(sql);
  for (const key of keysOf(sql, number)) recountEntry(sql, sums, key);
  sums.write();
  sql.putState.run(number, createdAt, state);
}

function stateOf(sql: UsageStatements, session: number): UsageState {
  const row = sql.state.get(session);
  return row === undefined ? NOTHING_COUNTED : (jsonOf(row, 'state') as UsageState);
}

function rowOf(session: KnownSession, { key, isShared, usage, costUsd, turns, durationMs }: UsageEntry, kind: number): Entry {
  // Whole billionths of a dollar.
  const costNano = costUsd === undefined ? 0 : Math.round(costUsd * 1e9);
  const tokens = [usage.inputTokens, usage.outputTokens, usage.cacheReadTokens, usage.cacheWriteTokens].map(Math.round);
  return {
    key: keyOf(isShared ? `${session.agent} ${key}` : `${session.number} ${key}`),
    session: session.number,
    kind,
    figures: [...tokens, costNano, turns, Math.round(durationMs)],
  };
}

/** Numbers of days and models, asked for once in a batch. */
function kinds(sql: UsageStatements): (entry: UsageEntry) => number {
  const known = new Map<string, number>();
  return ({ day, model, costUsd }) => {
    const isCosted = costUsd === undefined ? 0 : 1;
    const name = `${day} ${isCosted} ${model}`;
    const number = known.get(name) ?? kindOf(sql, day, model, isCosted);
    known.set(name, number);
    return number;
  };
}

function kindOf(sql: UsageStatements, ...kind: readonly [day: string, model: string, isCosted: number]): number {
  const known = sql.kindOf.get(...kind);
  if (known !== undefined) return Number(known.number);
  sql.putKind.run(...kind);
  return Number(sql.kindOf.get(...kind)?.number);
}

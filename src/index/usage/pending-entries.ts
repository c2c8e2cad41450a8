import { countUsage, NOTHING_COUNTED, type UsageState } from '../../domain/usage/count.ts';
import type { UsageEntry } from '../../domain/usage/entry.ts';
import { jsonOf } from '../../journal/sqlite-driver.ts';
import type { Event } from '../../protocol/event.ts';
import type { KnownSession } from '../store/index-part.ts';
import type { IndexedUsage } from '../store/index-store.ts';
import { daySums } from './day-totals.ts';
import { type Entry, putEntry } from './duplicates.ts';
import { keepKeys, keyOf } from './entry-keys.ts';
import type { UsageStatements } from './usage-sql.ts';

interface Counting {
  session: KnownSession;
  state: UsageState;
  readonly entries: Map<string, UsageEntry>;
}

/** Entries that wait for the end of the transaction: most are reported several times, and only the last one counts. */
export class CountedUsage {
  readonly #sql: UsageStatements;
  readonly #sessions = new Map<number, Counting>();

  constructor(sql: UsageStatements) {
    this.#sql = sql;
  }

  count(session: KnownSession, events: readonly Event[], spent: readonly IndexedUsage[]): void {
    const counting = this.#sessions.get(session.number) ?? { session, state: stateOf(this.#sql, session.number), entries: new Map() };
    const { state, entries } = countUsage(counting.state, events, spent);
    counting.session = session;
    counting.state = state;
    for (const entry of entries) counting.entries.set(entry.key, entry);
    this.#sessions.set(session.number, counting);
  }

  write(): void {
    const sums = daySums(this.#sql);
    const kindOf = kinds(this.#sql);
    for (const { session, state, entries } of this.#sessions.values()) {
      const rows = [...entries.values()].map((entry) => rowOf(session, entry, kindOf(entry)));
      const fresh = rows.filter((row) => putEntry(this.#sql, sums, row));
      keepKeys(this.#sql, session.number, fresh);
      this.#sql.putState.run(session.number, session.createdAt, JSON.stringify(state));
    }
    sums.write();
    this.clear();
  }

  clear(): void {
    this.#sessions.clear();
  }
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

/** Numbers of days and models, looked up once per batch. */
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

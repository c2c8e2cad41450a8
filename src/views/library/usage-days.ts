import { intOf, type Row, textOf } from '../../journal/sqlite-driver.ts';
import type { UsageStatements } from './usage-sql.ts';

/** The sums by day of what counts, gathered while a batch is read and written once at its end. */
export interface DaySums {
  add(entry: Row, sign: 1 | -1): void;
  write(): void;
}

const SUMS = ['input', 'output', 'cache_read', 'cache_write', 'cost_nano', 'turns', 'duration_ms'] as const;
type Day = readonly [session: number, day: string, model: string, isCosted: number];

export function daySums(sql: UsageStatements): DaySums {
  const days = new Map<string, { readonly day: Day; readonly sums: number[] }>();
  return {
    add: (entry, sign) => {
      const day: Day = [intOf(entry, 'session'), textOf(entry, 'day'), textOf(entry, 'model'), entry.cost_nano === null ? 0 : 1];
      const key = JSON.stringify(day);
      const more = [sign, ...SUMS.map((column) => sign * Number(entry[column]))];
      const { sums } = days.get(key) ?? { sums: more.map(() => 0) };
      days.set(key, { day, sums: sums.map((sum, index) => sum + (more[index] ?? 0)) });
    },
    write: () => {
      for (const { day, sums } of days.values()) {
        sql.add.run(...day, ...sums);
        if ((sums[0] ?? 0) < 0) sql.sweep.run(...day);
      }
    },
  };
}

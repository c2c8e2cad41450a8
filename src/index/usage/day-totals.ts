import { intOf, textOf } from '../../journal/sqlite-driver.ts';
import type { Entry } from './duplicates.ts';
import type { UsageStatements } from './usage-sql.ts';

/** The sums per day of entries that count, collected during a batch and written once at its end. */
export interface DaySums {
  add(entry: Pick<Entry, 'session' | 'kind' | 'figures'>, sign: 1 | -1): void;
  write(): void;
}

interface Sum {
  readonly session: number;
  readonly kind: number;
  entries: number;
  readonly figures: number[];
}

/** Larger than the number of kinds: a session's number and a kind make one number. */
const KINDS = 2 ** 24;

export function daySums(sql: UsageStatements): DaySums {
  const sums = new Map<number, Sum>();
  const sumOf = ({ session, kind, figures }: Pick<Entry, 'session' | 'kind' | 'figures'>): Sum => {
    const key = session * KINDS + kind;
    const known = sums.get(key);
    if (known !== undefined) return known;
    const sum = { session, kind, entries: 0, figures: figures.map(() => 0) };
    sums.set(key, sum);
    return sum;
  };
  return {
    add: (entry, sign) => {
      const sum = sumOf(entry);
      sum.entries += sign;
      for (const [index, figure] of entry.figures.entries()) sum.figures[index] = (sum.figures[index] ?? 0) + sign * figure;
    },
    write: () => {
      for (const sum of sums.values()) writeSum(sql, sum);
    },
  };
}

function writeSum(sql: UsageStatements, { session, kind, entries, figures }: Sum): void {
  const row = sql.kind.get(kind);
  if (row === undefined) throw new Error(`no day and model have the number ${kind}`);
  const day = [session, textOf(row, 'day'), textOf(row, 'model'), intOf(row, 'is_costed')] as const;
  sql.add.run(...day, entries, ...figures);
  if (entries <= 0) sql.sweep.run(...day);
}

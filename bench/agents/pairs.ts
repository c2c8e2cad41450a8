import { seeded } from '../../test/support/seeded.ts';
import { median, quantile, round } from '../relay/numbers.ts';
import type { Row } from '../relay/table.ts';

export type Side = 'bare' | 'ours';

/** Now the one is first and now the other, so that what others do to the machine meets both. */
export async function inTurn(round: number, once: (side: Side) => Promise<void>): Promise<void> {
  const sides: readonly Side[] = round % 2 === 0 ? ['bare', 'ours'] : ['ours', 'bare'];
  for (const side of sides) await once(side);
}

/** Times of both, measured one right after the other. */
export class Pairs {
  private readonly times: Record<Side, number[]> = { bare: [], ours: [] };

  add(side: Side, ms: number): void {
    this.times[side].push(ms);
  }

  /** What is added is the difference of the medians, with how far off it may be. What lies beyond the limit by less than that is not told apart from it. */
  row(what: string, limitMs?: number): Row {
    const { bare, ours } = this.times;
    const added = median(ours) - median(bare);
    const doubt = doubtOf(bare, ours);
    const told = `${ms(ours)} (${added < 0 ? '−' : '+'}${round(Math.abs(added), 1)} ± ${round(doubt, 1)} ms)`;
    if (limitMs === undefined) return { what, ours: told, floor: ms(bare), asked: '' };
    const isTold = added <= limitMs || added - doubt > limitMs;
    return { what, ours: told, floor: ms(bare), asked: `+ ≤ ${limitMs} ms`, ...(isTold && { holds: added <= limitMs }) };
  }
}

const DRAWS = 2000;

/** Half of the interval in which 95 of 100 such differences lie: both sides are drawn again and again from what was measured. */
function doubtOf(bare: readonly number[], ours: readonly number[]): number {
  const random = seeded(1);
  const drawn = (values: readonly number[]): number => median(values.map(() => values[Math.floor(random() * values.length)] ?? Number.NaN));
  const differences = Array.from({ length: DRAWS }, () => drawn(ours) - drawn(bare));
  return (quantile(differences, 0.975) - quantile(differences, 0.025)) / 2;
}

const ms = (values: readonly number[]): string => `${round(median(values), 1)} / ${round(quantile(values, 0.95), 1)} ms`;

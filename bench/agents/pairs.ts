import { seeded } from '../../test/support/seeded.ts';
import { median, quantile, round } from '../relay/numbers.ts';
import type { Row } from '../relay/table.ts';

export type Side = 'bare' | 'ours';

/** The sides take turns going first, so that load from other programs affects both. */
export async function inTurn(round: number, once: (side: Side) => Promise<void>): Promise<void> {
  const sides: readonly Side[] = round % 2 === 0 ? ['bare', 'ours'] : ['ours', 'bare'];
  for (const side of sides) await once(side);
}

/** Times of both sides, measured right after each other. */
export class Pairs {
  private readonly times: Record<Side, number[]> = { bare: [], ours: [] };

  add(side: Side, ms: number): void {
    this.times[side].push(ms);
  }

  /** The overhead is the difference of the medians, with its error. When it exceeds the limit by less than the error, the row has no verdict. */
  row(what: string, limitMs?: number): Row {
    const { bare, ours } = this.times;
    const added = median(ours) - median(bare);
    const error = errorOf(bare, ours);
    const result = `${ms(ours)} (${added < 0 ? '−' : '+'}${round(Math.abs(added), 1)} ± ${round(error, 1)} ms)`;
    if (limitMs === undefined) return { what, ours: result, floor: ms(bare), target: '' };
    const isCertain = added <= limitMs || added - error > limitMs;
    return { what, ours: result, floor: ms(bare), target: `+ ≤ ${limitMs} ms`, ...(isCertain && { holds: added <= limitMs }) };
  }
}

const RESAMPLES = 2000;

/** Half of the 95 % confidence interval of the difference, by bootstrap: both sides are resampled many times. */
function errorOf(bare: readonly number[], ours: readonly number[]): number {
  const random = seeded(1);
  const resampledMedian = (values: readonly number[]): number => median(values.map(() => values[Math.floor(random() * values.length)] ?? Number.NaN));
  const differences = Array.from({ length: RESAMPLES }, () => resampledMedian(ours) - resampledMedian(bare));
  return (quantile(differences, 0.975) - quantile(differences, 0.025)) / 2;
}

const ms = (values: readonly number[]): string => `${round(median(values), 1)} / ${round(quantile(values, 0.95), 1)} ms`;

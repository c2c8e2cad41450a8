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

  /** What is added is the difference of the medians. */
  row(what: string, limitMs?: number): Row {
    const { bare, ours } = this.times;
    const added = median(ours) - median(bare);
    return {
      what,
      ours: `${ms(ours)} (${added < 0 ? '−' : '+'}${round(Math.abs(added), 1)} ms)`,
      floor: ms(bare),
      ...(limitMs === undefined ? { asked: '' } : { asked: `+ ≤ ${limitMs} ms`, holds: added <= limitMs }),
    };
  }
}

const ms = (values: readonly number[]): string => `${round(median(values), 1)} / ${round(quantile(values, 0.95), 1)} ms`;

import { median, quantile, round } from '../relay/numbers.ts';
import type { Row } from '../relay/table.ts';
import { openBare } from './bare.ts';
import { openListener } from './listener.ts';
import { openOurs } from './ours.ts';
import type { Speaker } from './speaker.ts';
import type { Subject } from './subject.ts';

export interface Rounds {
  readonly starts: number;
  readonly turns: number;
}

/** The same program alone and behind the server, in turn: now the one is first and now the other. */
export async function measureSpeed(subject: Subject, { starts, turns }: Rounds): Promise<readonly Row[]> {
  const listener = await openListener(subject.bench.server);
  const open = { bare: () => openBare(subject), ours: () => openOurs(subject, listener) };
  // The first of each finds cold caches, and has the server ask the program for its version.
  for (const one of [await open.bare(), await open.ours()]) await one.close();
  const ready = new Pairs();
  const first = new Pairs();
  for (let round = 0; round < starts; round += 1) {
    await inTurn(round, async (side) => {
      const speaker = await open[side]();
      ready.add(side, speaker.readyMs);
      first.add(side, await speaker.say(`@PLAIN first ${round}`));
      await speaker.close();
    });
  }
  const later = await laterTurns({ bare: await open.bare(), ours: await open.ours() }, turns);
  listener.close();
  return [
    ready.row(`${subject.title}: start to ready`, 50),
    first.row(`${subject.title}: first turn, when it is ready`),
    later.row(`${subject.title}: a later turn`, 10),
  ];
}

async function laterTurns(speakers: Readonly<Record<Side, Speaker>>, turns: number): Promise<Pairs> {
  const later = new Pairs();
  for (const side of ['bare', 'ours'] as const) await speakers[side].say('@PLAIN the first is not counted');
  for (let turn = 0; turn < turns; turn += 1) {
    await inTurn(turn, async (side) => later.add(side, await speakers[side].say(`@PLAIN later ${turn}`)));
  }
  for (const speaker of Object.values(speakers)) await speaker.close();
  return later;
}

type Side = 'bare' | 'ours';

async function inTurn(round: number, once: (side: Side) => Promise<void>): Promise<void> {
  const sides: readonly Side[] = round % 2 === 0 ? ['bare', 'ours'] : ['ours', 'bare'];
  for (const side of sides) await once(side);
}

/** Times of both, measured one right after the other. */
class Pairs {
  private readonly times: Record<Side, number[]> = { bare: [], ours: [] };

  add(side: Side, ms: number): void {
    this.times[side].push(ms);
  }

  /** What is added is the median of the differences: a machine that others load slows both of a pair. */
  row(what: string, limitMs?: number): Row {
    const { bare, ours } = this.times;
    const added = median(ours.map((ms, index) => ms - (bare[index] ?? Number.NaN)));
    return {
      what,
      ours: `${ms(ours)} (${added < 0 ? '−' : '+'}${round(Math.abs(added), 1)} ms)`,
      floor: ms(bare),
      ...(limitMs === undefined ? { asked: '' } : { asked: `+ ≤ ${limitMs} ms`, holds: added <= limitMs }),
    };
  }
}

const ms = (values: readonly number[]): string => `${round(median(values), 1)} / ${round(quantile(values, 0.95), 1)} ms`;

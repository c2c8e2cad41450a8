import { openListener } from './listener.ts';
import { median, pause, round } from './numbers.ts';
import { rssMb } from './processes.ts';
import { type Ours, openOurs } from './relays.ts';
import type { Row } from './table.ts';

const SETTLE_MS = 3_000;

/** One client reads, another has stopped reading: what that costs, whom it slows, and whether it has everything in the end. */
export async function measureStalled(deltas: number, rounds: number): Promise<readonly Row[]> {
  const ours = await openOurs(1);
  const reader = await openListener(ours.address);
  const flood = async (): Promise<number> => {
    const heard = await reader.hear({ sessions: ours.address.sessions, text: `flood ${deltas}`, deltas });
    return (deltas * 1e6) / (heard.endUs - heard.startUs);
  };
  await flood(); // warm
  const all: Stalled[] = [];
  for (let count = 0; count < rounds; count += 1) {
    const alone = await flood();
    all.push({ alone, ...(await besideSleeper(ours, flood, deltas)) });
  }
  reader.close();
  await ours.close();
  return rowsOf(all, deltas);
}

interface Stalled {
  readonly alone: number;
  readonly beside: number;
  readonly costMb: number;
  readonly inTheEnd: number;
}

/** The sleeper is a fresh client each time, and is gone afterwards. */
async function besideSleeper(ours: Ours, flood: () => Promise<number>, deltas: number): Promise<Omit<Stalled, 'alone'>> {
  const sleeper = await openListener(ours.address);
  const caughtUp = sleeper.hear({ sessions: ours.address.sessions, deltas });
  await pause(SETTLE_MS);
  const before = rssMb(ours.pid);
  await sleeper.pause();
  const beside = await flood();
  await pause(SETTLE_MS);
  const costMb = rssMb(ours.pid) - before;
  sleeper.resume();
  const heard = await caughtUp;
  sleeper.close();
  return { beside, costMb, inTheEnd: heard.gaps === 0 ? heard.deltas : 0 };
}

function rowsOf(all: readonly Stalled[], deltas: number): readonly Row[] {
  const costMb = Math.max(...all.map((one) => one.costMb));
  const [alone, beside] = [median(all.map((one) => one.alone)), median(all.map((one) => one.beside))];
  const inTheEnd = Math.min(...all.map((one) => one.inTheEnd));
  return [
    { what: 'a stalled client, memory (worst round)', ours: `${round(costMb, 1)} MB`, floor: '', asked: '≤ 20 MB', holds: costMb <= 20 },
    {
      what: `a stalled client, what it has in the end of ${deltas.toLocaleString('en')} events`,
      ours: inTheEnd.toLocaleString('en'),
      floor: '',
      asked: 'all',
      holds: inTheEnd === deltas,
    },
    {
      what: 'speed of another client beside it',
      ours: `${round(beside, 0)}/s (${round(beside / alone)}× alone)`,
      floor: '',
      asked: 'as alone',
      holds: beside / alone >= 0.9,
    },
  ];
}

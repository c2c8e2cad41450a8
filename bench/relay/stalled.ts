import { openListener } from './listener.ts';
import { median, pause, round } from './numbers.ts';
import { rssMb } from './processes.ts';
import { type Ours, openOurs } from './relays.ts';
import type { Row } from './table.ts';

const SETTLE_MS = 3_000;

/** One client reads, another has stopped reading: measures the memory, whether the reader slows down, and whether the stalled client gets everything later. */
export async function measureStalled(deltas: number, rounds: number): Promise<readonly Row[]> {
  const ours = await openOurs(1);
  const reader = await openListener(ours.address);
  const flood = async (): Promise<number> => {
    const received = await reader.receive({ sessions: ours.address.sessions, text: `flood ${deltas}`, deltas });
    return (deltas * 1e6) / (received.endUs - received.startUs);
  };
  await flood(); // warm
  const all: Stalled[] = [];
  for (let count = 0; count < rounds; count += 1) {
    const alone = await flood();
    all.push({ alone, ...(await besideStalled(ours, flood, deltas)) });
  }
  reader.close();
  await ours.close();
  return rowsOf(all, deltas);
}

interface Stalled {
  readonly alone: number;
  readonly beside: number;
  readonly costMb: number;
  readonly finallyReceived: number;
}

/** Each round uses a new stalled client. */
async function besideStalled(ours: Ours, flood: () => Promise<number>, deltas: number): Promise<Omit<Stalled, 'alone'>> {
  const stalled = await openListener(ours.address);
  const caughtUp = stalled.receive({ sessions: ours.address.sessions, deltas });
  await pause(SETTLE_MS);
  const before = rssMb(ours.pid);
  await stalled.pause();
  const beside = await flood();
  await pause(SETTLE_MS);
  const costMb = rssMb(ours.pid) - before;
  stalled.resume();
  const received = await caughtUp;
  stalled.close();
  return { beside, costMb, finallyReceived: received.gaps === 0 ? received.deltas : 0 };
}

function rowsOf(all: readonly Stalled[], deltas: number): readonly Row[] {
  const costMb = Math.max(...all.map((one) => one.costMb));
  const [alone, beside] = [median(all.map((one) => one.alone)), median(all.map((one) => one.beside))];
  const finallyReceived = Math.min(...all.map((one) => one.finallyReceived));
  return [
    { what: 'a stalled client, memory (worst round)', ours: `${round(costMb, 1)} MB`, floor: '', target: '≤ 20 MB', holds: costMb <= 20 },
    {
      what: `a stalled client, received in the end of ${deltas.toLocaleString('en')} events`,
      ours: finallyReceived.toLocaleString('en'),
      floor: '',
      target: 'all',
      holds: finallyReceived === deltas,
    },
    {
      what: 'speed of another client meanwhile',
      ours: `${round(beside, 0)}/s (${round(beside / alone)}× alone)`,
      floor: '',
      target: 'as alone',
      holds: beside / alone >= 0.9,
    },
  ];
}

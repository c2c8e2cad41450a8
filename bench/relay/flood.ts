import { openListener } from './listener.ts';
import { median, round } from './numbers.ts';
import { openFloor, openOurs, type Relay } from './relays.ts';
import type { Row } from './table.ts';

/** One session at full speed, floor and ours in turn. */
export async function measureFlood(deltas: number, rounds: number): Promise<readonly Row[]> {
  const floor = await inTurns(await openFloor(1), deltas);
  const ours = await inTurns(await openOurs(1), deltas);
  for (let count = 0; count < rounds; count += 1) {
    await floor.once();
    await ours.once();
  }
  await Promise.all([floor.close(), ours.close()]);
  return rowsOf(ours.all, floor.all);
}

interface Flood {
  readonly perSecond: number;
  readonly cpuUs: number;
  readonly resubscribed: number;
}

async function inTurns(relay: Relay, deltas: number) {
  const listener = await openListener(relay.address);
  const all: Flood[] = [];
  const once = async (): Promise<Flood> => {
    const before = relay.cpuMs();
    const received = await listener.receive({ sessions: relay.address.sessions, text: `flood ${deltas}`, deltas });
    if (received.gaps > 0 || received.seqGaps > 0) throw new Error(`${received.gaps} gaps in the text, ${received.seqGaps} in the events`);
    const cpuUs = ((relay.cpuMs() - before) * 1000) / deltas;
    return { perSecond: (deltas * 1e6) / (received.endUs - received.startUs), cpuUs, resubscribed: received.resubscribed };
  };
  await once(); // warm
  return {
    all,
    once: async () => void all.push(await once()),
    close: async () => {
      listener.close();
      await relay.close();
    },
  };
}

function rowsOf(ours: readonly Flood[], floor: readonly Flood[]): readonly Row[] {
  const speed = (floods: readonly Flood[]): number => median(floods.map((flood) => flood.perSecond));
  const cost = (floods: readonly Flood[]): number => median(floods.map((flood) => flood.cpuUs));
  const [faster, costlier] = [speed(ours) / speed(floor), cost(ours) / cost(floor)];
  return [
    {
      what: 'one session flat out, events/s',
      ours: `${round(speed(ours), 0)} (${round(faster)}×)`,
      floor: round(speed(floor), 0),
      target: '≥ 1×',
      holds: faster >= 1,
    },
    {
      what: 'one session flat out, CPU of an event',
      ours: `${round(cost(ours))} µs (${round(costlier)}×)`,
      floor: `${round(cost(floor))} µs`,
      target: '≤ 1.3×',
      holds: costlier <= 1.3,
    },
  ];
}

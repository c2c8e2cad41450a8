import { openListener } from './listener.ts';
import { median, quantile, round } from './numbers.ts';
import { openFloor, openOurs, type Relay } from './relays.ts';
import type { Row } from './table.ts';

const HZ = 50;
/** Short, and many: floor and ours meet the same noise of the machine. */
const ROUND_SECONDS = 4;

/** How much later than the agent wrote it a delta is in the client, floor and ours in turns. */
export async function measureLatency(sessions: number, rounds: number): Promise<readonly Row[]> {
  const floor = await openFloor(sessions);
  const ours = await openOurs(sessions);
  const [hearFloor, hearOurs] = [await inTurns(floor), await inTurns(ours)];
  for (let round = 0; round < rounds; round += 1) {
    await hearFloor.once();
    await hearOurs.once();
  }
  await Promise.all([hearFloor.close(), hearOurs.close()]);
  return [rowOf(sessions, 0.5, 1.5, hearOurs.all, hearFloor.all), rowOf(sessions, 0.99, 2, hearOurs.all, hearFloor.all)];
}

async function inTurns(relay: Relay) {
  const listener = await openListener(relay.address);
  const all: (readonly number[])[] = [];
  const hear = async (deltas: number) => {
    const heard = await listener.hear({ sessions: relay.address.sessions, text: `pace ${deltas} ${HZ}`, deltas, wantsLatencies: true });
    return heard.latenciesUs.flat();
  };
  await hear(HZ); // warm
  return {
    all,
    once: async () => void all.push(await hear(ROUND_SECONDS * HZ)),
    close: async () => {
      listener.close();
      await relay.close();
    },
  };
}

function rowOf(sessions: number, share: number, limit: number, ours: readonly (readonly number[])[], floor: readonly (readonly number[])[]): Row {
  const ms = (rounds: readonly (readonly number[])[]): number => median(rounds.map((round) => quantile(round, share))) / 1000;
  const ratio = ms(ours) / ms(floor);
  return {
    what: `latency of a delta, ${sessions} session${sessions === 1 ? '' : 's'} at ${HZ}/s, p${share * 100}`,
    ours: `${round(ms(ours), 3)} ms (${round(ratio)}×)`,
    floor: `${round(ms(floor), 3)} ms`,
    asked: `≤ ${limit}×`,
    holds: ratio <= limit,
  };
}

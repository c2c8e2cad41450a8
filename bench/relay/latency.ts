import { openListener } from './listener.ts';
import { median, quantile, round } from './numbers.ts';
import { openFloor, openOurs, type Relay } from './relays.ts';
import type { Row } from './table.ts';

const HZ = 50;
/** Many short rounds, so that noise on the machine affects floor and ours alike. */
const ROUND_SECONDS = 4;

/** How long a delta takes from the agent's write to the client, floor and ours in turn. */
export async function measureLatency(sessions: number, rounds: number): Promise<readonly Row[]> {
  const floor = await openFloor(sessions);
  const ours = await openOurs(sessions);
  const [floorRounds, ourRounds] = [await inTurns(floor), await inTurns(ours)];
  for (let round = 0; round < rounds; round += 1) {
    await floorRounds.once();
    await ourRounds.once();
  }
  await Promise.all([floorRounds.close(), ourRounds.close()]);
  return [rowOf(sessions, 0.5, 1.5, ourRounds.all, floorRounds.all), rowOf(sessions, 0.99, 2, ourRounds.all, floorRounds.all)];
}

async function inTurns(relay: Relay) {
  const listener = await openListener(relay.address);
  const all: (readonly number[])[] = [];
  const receive = async (deltas: number) => {
    const received = await listener.receive({ sessions: relay.address.sessions, text: `pace ${deltas} ${HZ}`, deltas, wantsLatencies: true });
    return received.latenciesUs.flat();
  };
  await receive(HZ); // warm
  return {
    all,
    once: async () => void all.push(await receive(ROUND_SECONDS * HZ)),
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
    target: `≤ ${limit}×`,
    holds: ratio <= limit,
  };
}

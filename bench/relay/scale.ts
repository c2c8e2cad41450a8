import { openListener } from './listener.ts';
import { quantile, round } from './numbers.ts';
import { openFloor, openOurs, type Relay } from './relays.ts';
import type { Row } from './table.ts';

const SESSIONS = 200;
const HZ = 5;
/** A session falls behind when the latency of its last second exceeds that of its first by more than this. */
const DRIFT_MS = 100;

/** Checks whether any of many sessions falls behind at reading speed. */
export async function measureScale(seconds: number): Promise<readonly Row[]> {
  const floor = await paced(await openFloor(SESSIONS), seconds);
  const ours = await paced(await openOurs(SESSIONS), seconds);
  return [
    {
      what: `${SESSIONS} sessions at ${HZ}/s, sessions that fall behind`,
      ours: `${ours.behind}`,
      floor: `${floor.behind}`,
      target: '0',
      holds: ours.behind === 0,
    },
    { what: `${SESSIONS} sessions at ${HZ}/s, p50 / p99 / max`, ours: ours.latency, floor: floor.latency, target: '' },
    { what: `${SESSIONS} sessions at ${HZ}/s, CPU`, ours: ours.cpu, floor: floor.cpu, target: '' },
  ];
}

async function paced(relay: Relay, seconds: number) {
  const listener = await openListener(relay.address);
  const receive = (deltas: number) => listener.receive({ sessions: relay.address.sessions, text: `pace ${deltas} ${HZ}`, deltas, wantsLatencies: true });
  await receive(HZ); // warm
  const [cpuBefore, at] = [relay.cpuMs(), performance.now()];
  const received = await receive(seconds * HZ);
  const cores = (relay.cpuMs() - cpuBefore) / (performance.now() - at);
  listener.close();
  await relay.close();
  const ms = (share: number): string => round(quantile(received.latenciesUs.flat(), share) / 1000, 1);
  return {
    behind: received.latenciesUs.filter(fellBehind).length + received.gaps,
    latency: `${ms(0.5)} / ${ms(0.99)} / ${ms(1)} ms`,
    cpu: `${round(cores * 100, 1)} % of a core`,
  };
}

function fellBehind(latenciesUs: readonly number[]): boolean {
  const [first, last] = [quantile(latenciesUs.slice(0, HZ), 0.5), quantile(latenciesUs.slice(-HZ), 0.5)];
  return last - first > DRIFT_MS * 1000;
}

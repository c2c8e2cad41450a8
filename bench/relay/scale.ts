import { openListener } from './listener.ts';
import { quantile, round } from './numbers.ts';
import { openFloor, openOurs, type Relay } from './relays.ts';
import type { Row } from './table.ts';

const SESSIONS = 200;
const HZ = 5;
/** A session falls behind when its last second is later than its first one by more than this. */
const DRIFT_MS = 100;

/** Many sessions at the pace of people's reading: does any of them fall behind? */
export async function measureScale(seconds: number): Promise<readonly Row[]> {
  const floor = await paced(await openFloor(SESSIONS), seconds);
  const ours = await paced(await openOurs(SESSIONS), seconds);
  return [
    {
      what: `${SESSIONS} sessions at ${HZ}/s, sessions that fall behind`,
      ours: `${ours.behind}`,
      floor: `${floor.behind}`,
      asked: '0',
      holds: ours.behind === 0,
    },
    { what: `${SESSIONS} sessions at ${HZ}/s, p50 / p99 / max`, ours: ours.latency, floor: floor.latency, asked: '' },
    { what: `${SESSIONS} sessions at ${HZ}/s, CPU`, ours: ours.cpu, floor: floor.cpu, asked: '' },
  ];
}

async function paced(relay: Relay, seconds: number) {
  const listener = await openListener(relay.address);
  const hear = (deltas: number) => listener.hear({ sessions: relay.address.sessions, text: `pace ${deltas} ${HZ}`, deltas, wantsLatencies: true });
  await hear(HZ); // warm
  const [cpuBefore, at] = [relay.cpuMs(), performance.now()];
  const heard = await hear(seconds * HZ);
  const cores = (relay.cpuMs() - cpuBefore) / (performance.now() - at);
  listener.close();
  await relay.close();
  const ms = (share: number): string => round(quantile(heard.latenciesUs.flat(), share) / 1000, 1);
  return {
    behind: heard.latenciesUs.filter(fellBehind).length + heard.gaps,
    latency: `${ms(0.5)} / ${ms(0.99)} / ${ms(1)} ms`,
    cpu: `${round(cores * 100, 1)} % of a core`,
  };
}

function fellBehind(latenciesUs: readonly number[]): boolean {
  const [first, last] = [quantile(latenciesUs.slice(0, HZ), 0.5), quantile(latenciesUs.slice(-HZ), 0.5)];
  return last - first > DRIFT_MS * 1000;
}

import { openListener } from './listener.ts';
import { pause, round } from './numbers.ts';
import { rssMb } from './processes.ts';
import { openOurs } from './relays.ts';
import type { Row } from './table.ts';

const EVENTS = 100_000;
const BATCH = 10_000;
/** Wait this long before reading the server's memory. */
const SETTLE_MS = 5_000;

/** The server's memory when idle, and after many events with a client that reads them all. */
export async function measureMemory(): Promise<readonly Row[]> {
  const ours = await openOurs(1);
  const listener = await openListener(ours.address);
  await pause(SETTLE_MS);
  const idle = rssMb(ours.pid);
  let peak = idle;
  const watch = setInterval(() => {
    peak = Math.max(peak, rssMb(ours.pid));
  }, 50);
  for (let events = 0; events < EVENTS; events += BATCH) await listener.receive({ sessions: ours.address.sessions, text: `flood ${BATCH}`, deltas: BATCH });
  clearInterval(watch);
  await pause(SETTLE_MS);
  const after = rssMb(ours.pid);
  listener.close();
  await ours.close();
  const grown = after - idle;
  return [
    { what: 'memory of the idle server (RSS)', ours: `${round(idle, 1)} MB`, floor: '', target: '≤ 100 MB', holds: idle <= 100 },
    {
      what: `memory growth after ${EVENTS.toLocaleString('en')} events, flat out`,
      ours: `${round(grown, 1)} MB (peak ${round(peak - idle, 1)})`,
      floor: '',
      target: '≤ 20 MB',
      holds: grown <= 20,
    },
  ];
}

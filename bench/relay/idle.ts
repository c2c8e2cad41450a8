import { pause, round } from './numbers.ts';
import { cpuMs, launchersBelow, pssKb, scheduled } from './processes.ts';
import { openOurs } from './relays.ts';
import type { Row } from './table.ts';

const SESSIONS = 50;
const SECONDS = 10;

/** What an idle session costs. */
export async function measureIdle(): Promise<readonly Row[]> {
  const ours = await openOurs(SESSIONS);
  await pause(3_000);
  const launchers = launchersBelow(ours.server.data);
  const pss = launchers.reduce((sum, pid) => sum + pssKb(pid), 0) / SESSIONS;
  const before = total(launchers);
  const serverBefore = cpuMs(ours.pid);
  await pause(SECONDS * 1000);
  const after = total(launchers);
  const serverShare = (cpuMs(ours.pid) - serverBefore) / (SECONDS * 10);
  await ours.close();
  return [
    { what: 'shell and feeder of a session (PSS)', ours: `${round(pss / 1024, 3)} MB`, floor: '', target: '≤ 0.5 MB', holds: pss <= 512 },
    {
      what: `shells and feeders of ${SESSIONS} idle sessions, CPU in ${SECONDS} s`,
      ours: `${after.ns - before.ns} ns, ${after.times - before.times} times scheduled`,
      floor: '',
      target: 'none',
      holds: after.ns === before.ns,
    },
    { what: `server with ${SESSIONS} idle sessions, CPU`, ours: `${round(serverShare, 1)} % of a core`, floor: '', target: '' },
  ];
}

function total(pids: readonly number[]): { readonly ns: number; readonly times: number } {
  const all = pids.map(scheduled);
  return { ns: all.reduce((sum, one) => sum + one.ns, 0), times: all.reduce((sum, one) => sum + one.times, 0) };
}

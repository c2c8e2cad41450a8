import { pause, round } from '../relay/numbers.ts';
import { launchersBelow, pssKb, rssMb } from '../relay/processes.ts';
import type { Row } from '../relay/table.ts';
import { openListener } from './listener.ts';
import { openOurs } from './ours.ts';
import type { Subject } from './subject.ts';

/** How long the server is left alone before its memory is read. */
const SETTLE_MS = 5_000;
const ASKED_MB = 5;

/** What a session costs beside the program itself: its share of the server, its shell and its feeder, after a turn, with a client that listens. */
export async function measureMemory(subject: Subject, sessions: number, say: (what: string) => void): Promise<readonly Row[]> {
  const { server } = subject.bench;
  say(`memory of ${sessions} sessions`);
  const listener = await openListener(server, subject.title);
  // The first session of all brings code and tables that the others share.
  const before = await openOurs(subject, listener);
  await before.say('@PLAIN before');
  await pause(SETTLE_MS);
  const [rss, shells] = [rssMb(server.pid), shellsKb(server.data)];
  for (let count = 0; count < sessions; count += 1) await (await openOurs(subject, listener)).say('@PLAIN remember this');
  await pause(SETTLE_MS);
  const ours = (rssMb(server.pid) - rss) / sessions;
  const beside = (shellsKb(server.data) - shells) / 1024 / sessions;
  listener.close();
  const what = `${subject.title}: memory of a session beside the program, over ${sessions}`;
  return [{ what, ours: `${round(ours + beside)} MB (server ${round(ours)})`, floor: '', asked: `≤ ${ASKED_MB} MB`, holds: ours + beside <= ASKED_MB }];
}

const shellsKb = (data: string): number => launchersBelow(data).reduce((sum, pid) => sum + pssKb(pid), 0);

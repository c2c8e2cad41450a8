import { freemem } from 'node:os';
import { waitFor } from '../../test/support/wait-for.ts';
import { median, pause, round } from '../relay/numbers.ts';
import { launchersBelow, pssKb, rssMb } from '../relay/processes.ts';
import type { Row } from '../relay/table.ts';
import { type Listener, openListener } from './listener.ts';
import type { Subject } from './subject.ts';
import type { TestAgent } from './test-agent.ts';
import { openOurs } from './with-server.ts';

/** Only for agents on pipes: agents with a Gateway share its memory. */
const TARGET_MB = 5;
/** The spread of the results shows how reliable they are. */
const ROUNDS = 3;
/** Wait this long before reading the server's memory, then read it this many times. */
const SETTLE_MS = 3_000;
const READINGS = 5;
const READ_AGAIN_MS = 400;

/**
 * The memory of a session without the program itself: its share of the server, its shell and its feeder, after a turn, with a client subscribed.
 * The sessions are opened and closed several times, because a server that was busy before releases memory in between.
 */
export async function measureMemory(subject: Subject, wanted: number, say: (what: string) => void): Promise<readonly Row[]> {
  const { server } = subject.bench;
  const listener = await openListener(server, subject.title);
  const sessions = Math.min(wanted, await roomFor(subject, listener));
  say(`memory of ${sessions} sessions, ${ROUNDS} times`);
  const shares: number[] = [];
  const shells: number[] = [];
  for (let count = 0; count < ROUNDS; count += 1) {
    const before = await settled(server.pid);
    const agents = await openAll(subject, listener, sessions);
    shares.push(((await settled(server.pid)) - before) / sessions);
    shells.push(shellsKb(server.data) / 1024 / sessions);
    for (const agent of agents) await agent.close();
  }
  listener.close();
  const target = subject.bench.outliving === undefined ? TARGET_MB : undefined;
  return [row(`${subject.title}: memory per session without the program, over ${sessions}`, shares, median(shells), target)];
}

/** Uses half of the free memory: some programs take half a gigabyte each. This first session also loads code and tables that all later ones share. */
async function roomFor({ bench }: Subject, listener: Listener): Promise<number> {
  const first = await openOurs({ bench }, listener);
  await first.prompt('@PLAIN before');
  const pid = await waitFor('the pid of the agent', async () => (await bench.session(first.id)).pid);
  const room = Math.floor(freemem() / 2 ** 20 / 2 / rssMb(pid));
  await first.close();
  return Math.max(1, room);
}

async function openAll(subject: Subject, listener: Listener, sessions: number): Promise<readonly TestAgent[]> {
  const agents: TestAgent[] = [];
  for (let count = 0; count < sessions; count += 1) {
    const agent = await openOurs(subject, listener);
    await agent.prompt('@PLAIN remember this');
    agents.push(agent);
  }
  return agents;
}

async function settled(pid: number): Promise<number> {
  const readings: number[] = [];
  await pause(SETTLE_MS);
  for (let count = 0; count < READINGS; count += 1) {
    readings.push(rssMb(pid));
    await pause(READ_AGAIN_MS);
  }
  return median(readings);
}

const shellsKb = (data: string): number => launchersBelow(data).reduce((sum, pid) => sum + pssKb(pid), 0);

/** When the server's own memory fluctuates by more than the sessions need, only an upper bound can be given. */
function row(what: string, shares: readonly number[], shell: number, target: number | undefined): Row {
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  const isMeasurable = least > 0;
  const megabytes = isMeasurable ? median(shares) + shell : Math.max(0, most) + shell;
  const spread = `${round(least)} … ${round(most)}`;
  const details = isMeasurable
    ? `server ${round(median(shares))}, ${spread}`
    : `shell and feeder ${round(shell)}; the server's share is too small to measure: ${spread}`;
  const ours = `${isMeasurable ? '' : '≤ '}${round(megabytes)} MB (${details})`;
  return { what, ours, floor: '', ...(target === undefined ? { target: '' } : { target: `≤ ${target} MB`, holds: megabytes <= target }) };
}

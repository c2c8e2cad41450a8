import { freemem } from 'node:os';
import { waitFor } from '../../test/support/wait-for.ts';
import { median, pause, round } from '../relay/numbers.ts';
import { launchersBelow, pssKb, rssMb } from '../relay/processes.ts';
import type { Row } from '../relay/table.ts';
import { type Listener, openListener } from './listener.ts';
import { openOurs } from './ours.ts';
import type { Speaker } from './speaker.ts';
import type { Subject } from './subject.ts';

/** Of agents on pipes; one that has a Gateway shares that. */
const ASKED_MB = 5;
/** How far the differences lie apart says what they are worth. */
const ROUNDS = 3;
/** How long the server is left alone before its memory is read, and how often it is then read. */
const SETTLE_MS = 3_000;
const READINGS = 5;
const READ_AGAIN_MS = 400;

/**
 * What a session costs beside the program itself: its share of the server, its shell and its feeder, after a turn, with a client that listens.
 * The same sessions are opened and closed several times, because a server that was busy before gives memory back in between.
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
    const speakers = await openAll(subject, listener, sessions);
    shares.push(((await settled(server.pid)) - before) / sessions);
    shells.push(shellsKb(server.data) / 1024 / sessions);
    for (const speaker of speakers) await speaker.close();
  }
  listener.close();
  const asked = subject.bench.outliving === undefined ? ASKED_MB : undefined;
  return [row(`${subject.title}: memory of a session beside the program, over ${sessions}`, shares, median(shells), asked)];
}

/** Half of what is free: some programs take half a gigabyte each. This session is also the one that brings code and tables which all others share. */
async function roomFor({ bench }: Subject, listener: Listener): Promise<number> {
  const first = await openOurs({ bench }, listener);
  await first.say('@PLAIN before');
  const pid = await waitFor('the process of the agent to be known', async () => (await bench.session(first.id)).pid);
  const room = Math.floor(freemem() / 2 ** 20 / 2 / rssMb(pid));
  await first.close();
  return Math.max(1, room);
}

async function openAll(subject: Subject, listener: Listener, sessions: number): Promise<readonly Speaker[]> {
  const speakers: Speaker[] = [];
  for (let count = 0; count < sessions; count += 1) {
    const speaker = await openOurs(subject, listener);
    await speaker.say('@PLAIN remember this');
    speakers.push(speaker);
  }
  return speakers;
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

/** Where the server's own memory moves by more than the sessions take of it, only a bound can be told. */
function row(what: string, shares: readonly number[], shell: number, asked: number | undefined): Row {
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  const isSeen = least > 0;
  const megabytes = isSeen ? median(shares) + shell : Math.max(0, most) + shell;
  const spread = `${round(least)} … ${round(most)}`;
  const told = isSeen ? `server ${round(median(shares))}, ${spread}` : `shell and feeder ${round(shell)}; the server's share is not seen: ${spread}`;
  const ours = `${isSeen ? '' : '≤ '}${round(megabytes)} MB (${told})`;
  return { what, ours, floor: '', ...(asked === undefined ? { asked: '' } : { asked: `≤ ${asked} MB`, holds: megabytes <= asked }) };
}

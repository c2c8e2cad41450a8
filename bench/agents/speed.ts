import { setTimeout as rest } from 'node:timers/promises';
import type { SpawnedModel } from '../../test/support/scripted-model/spawn.ts';
import type { Row } from '../relay/table.ts';
import { type Listener, openListener } from './listener.ts';
import { inTurn, Pairs, type Side } from './pairs.ts';
import type { Subject } from './subject.ts';
import type { TestAgent } from './test-agent.ts';
import { openOurs } from './with-server.ts';
import { openBare } from './without-server.ts';

export interface Rounds {
  readonly starts: number;
  readonly turns: number;
}

type Open = Readonly<Record<Side, () => Promise<TestAgent>>>;

/** The same program with and without the server, in turn. */
export async function measureSpeed(subject: Subject, rounds: Rounds, say: (what: string) => void): Promise<readonly Row[]> {
  const listener = await openListener(subject.bench.server, subject.title);
  try {
    return await measureWith(subject, listener, rounds, say);
  } finally {
    listener.close();
  }
}

async function measureWith(subject: Subject, listener: Listener, { starts, turns }: Rounds, say: (what: string) => void): Promise<readonly Row[]> {
  const { title, bench } = subject;
  const open: Open = { bare: () => openBare(subject), ours: () => openOurs(subject, listener) };
  say(`${starts} starts of each`);
  const { ready, first } = await startsOf(open, starts);
  say(`${turns} turns of each`);
  const later = await turnsOf(open, turns);
  await expectSameCalls(bench.model);
  return [ready.row(`${title}: start to ready`, 50), first.row(`${title}: first turn, once ready`), later.row(`${title}: a later turn`, 10)];
}

async function startsOf(open: Open, starts: number): Promise<{ readonly ready: Pairs; readonly first: Pairs }> {
  // The first start of each side runs with cold caches.
  for (const side of SIDES) await (await open[side]()).close();
  const [ready, first] = [new Pairs(), new Pairs()];
  for (let round = 0; round < starts; round += 1) {
    await inTurn(round, async (side) => {
      await rest(REST_MS);
      const agent = await open[side]();
      ready.add(side, agent.readyMs);
      first.add(side, await agent.prompt(`@PLAIN first ${round}`));
      await agent.close();
    });
  }
  return { ready, first };
}

async function turnsOf(open: Open, turns: number): Promise<Pairs> {
  const agents = { bare: await open.bare(), ours: await open.ours() };
  const later = new Pairs();
  for (const side of SIDES) await agents[side].prompt('@PLAIN the first is not counted');
  for (let turn = 0; turn < turns; turn += 1) {
    await inTurn(turn, async (side) => later.add(side, await agents[side].prompt(`@PLAIN ${MARKS[side]} ${turn}`)));
  }
  for (const side of SIDES) await agents[side].close();
  return later;
}

/** Work that one side leaves behind (logs to compress, records to read) must not slow the other. */
const REST_MS = 1000;

const SIDES: readonly Side[] = ['bare', 'ours'];
/** Both have the same length, so both sides send the same number of bytes. */
const MARKS: Readonly<Record<Side, string>> = { bare: 'later-alone', ours: 'later-there' };

/** Checks that the comparison is fair: for the same number of turns, both sides called the model equally often. */
async function expectSameCalls(model: SpawnedModel): Promise<void> {
  const bodies = (await model.requests()).map(({ body }) => JSON.stringify(body));
  const [alone = 0, there = 0] = SIDES.map((side) => bodies.filter((body) => body.includes(MARKS[side])).length);
  if (alone > 0 && alone === there) return;
  throw new Error(`the program called the model ${alone} times without the server and ${there} times behind it: these are not the same turns`);
}

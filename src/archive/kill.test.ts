import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import type { ToyLine } from '../../test/support/archive/toy-archive.ts';
import { ToyHouse } from '../../test/support/archive/toy-setup.ts';
import { bundle } from '../../test/support/bundle.ts';
import { seeded } from '../../test/support/seeded.ts';

const child = bundle('test/support/archive/index-until-killed.fixture.ts');
const SESSIONS = ['s1', 's2', 's3'];
const LINES = 3000;
const SEED = 4;

test('[R195] numbers that were told survive SIGKILL at any instant, and reading goes on without a gap or a double', async () => {
  const house = new ToyHouse();
  const random = seeded(SEED);
  fill(house);
  house.indexer.close();
  const told: string[] = [];
  for (let life = 0; life < 4; life += 1) told.push(...(await liveUntil(house, 1 + Math.floor(random() * 2500))));
  house.reopen();
  house.read();
  const shown = storyOf(house);
  expect(new Set(told).size).toBe(told.length);
  expect(shown).toEqual(expect.arrayContaining(told));
  const whole = new ToyHouse();
  fill(whole);
  whole.read();
  expect(shown).toEqual(storyOf(whole));
});

function fill(house: ToyHouse): void {
  for (const session of SESSIONS)
    house.write(
      `${session}.jsonl`,
      Array.from({ length: LINES }, (_, index) => lineOf(session, index)),
    );
  house.write(
    's1/parts/p.jsonl',
    Array.from({ length: 500 }, (_, index) => ({ say: `part ${index}`, at: new Date(index * 5000).toISOString() })),
  );
}

const storyOf = (house: ToyHouse): readonly string[] =>
  SESSIONS.flatMap((session) => house.events(session, { limit: 100_000 }).map((event) => `${session} ${event.seq} ${'text' in event ? event.text : ''}`));

const lineOf = (session: string, index: number): ToyLine => ({
  id: `${session}-${index}`,
  parent: index === 0 ? null : `${session}-${index - 1}`,
  say: `line ${index}`,
  ...(index % 3 > 0 && { at: new Date(index * 1000).toISOString() }),
});

/** Lets the program read until it has told so many events, and kills it. */
async function liveUntil(house: ToyHouse, events: number): Promise<readonly string[]> {
  const program = spawn(process.execPath, [child, house.dataDir, house.root], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(program, 'exit');
  const told: string[] = [];
  for await (const line of createInterface({ input: program.stdout })) {
    if (line === 'ready') program.kill('SIGKILL');
    else if (told.push(line) === events) program.kill('SIGKILL');
  }
  expect((await ended)[1]).toBe('SIGKILL');
  return told;
}

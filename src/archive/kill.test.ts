import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import type { ToyLine } from '../../test/support/archive/toy-archive.ts';
import { ToySetup } from '../../test/support/archive/toy-setup.ts';
import { bundle } from '../../test/support/bundle.ts';
import { seeded } from '../../test/support/seeded.ts';

const child = bundle('test/support/archive/index-until-killed.fixture.ts');
const SESSIONS = ['s1', 's2', 's3'];
const LINES = 3000;
const SEED = 4;

test('[R195] reported numbers survive SIGKILL at any moment, and reading continues without gaps or duplicates', async () => {
  const setup = new ToySetup();
  const random = seeded(SEED);
  fill(setup);
  setup.indexer.close();
  const reported: string[] = [];
  for (let life = 0; life < 4; life += 1) reported.push(...(await liveUntil(setup, 1 + Math.floor(random() * 2500))));
  setup.reopen();
  setup.read();
  const shown = transcriptOf(setup);
  expect(new Set(reported).size).toBe(reported.length);
  expect(shown).toEqual(expect.arrayContaining(reported));
  const whole = new ToySetup();
  fill(whole);
  whole.read();
  expect(shown).toEqual(transcriptOf(whole));
});

function fill(setup: ToySetup): void {
  for (const session of SESSIONS)
    setup.write(
      `${session}.jsonl`,
      Array.from({ length: LINES }, (_, index) => lineOf(session, index)),
    );
  setup.write(
    's1/parts/p.jsonl',
    Array.from({ length: 500 }, (_, index) => ({ say: `part ${index}`, at: new Date(index * 5000).toISOString() })),
  );
}

const transcriptOf = (setup: ToySetup): readonly string[] =>
  SESSIONS.flatMap((session) => setup.events(session, { limit: 100_000 }).map((event) => `${session} ${event.seq} ${'text' in event ? event.text : ''}`));

const lineOf = (session: string, index: number): ToyLine => ({
  id: `${session}-${index}`,
  parent: index === 0 ? null : `${session}-${index - 1}`,
  say: `line ${index}`,
  ...(index % 3 > 0 && { at: new Date(index * 1000).toISOString() }),
});

/** Lets the program read until it has reported this many events, then kills it. */
async function liveUntil(setup: ToySetup, events: number): Promise<readonly string[]> {
  const program = spawn(process.execPath, [child, setup.dataDir, setup.root], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(program, 'exit');
  const reported: string[] = [];
  for await (const line of createInterface({ input: program.stdout })) {
    if (line === 'ready') program.kill('SIGKILL');
    else if (reported.push(line) === events) program.kill('SIGKILL');
  }
  expect((await ended)[1]).toBe('SIGKILL');
  return reported;
}

import { mkdirSync, realpathSync, truncateSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { standIn } from '../../../test/support/agents/stand-in-program.ts';
import { AGENT, createWithCheckpoints, PATIENT, S1, shell } from '../../../test/support/checkpoints/turns.ts';
import { createEngine, type EngineSetup } from '../../../test/support/engine/test-engine.ts';
import { proofCount } from '../../../test/support/proof-length.ts';
import { STAND_IN_VARIABLE, standInAdapter } from '../../../test/support/stand-in-adapter/index.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createCheckpoints, isSkipped } from '../../git/checkpoints.ts';
import type { CheckpointId } from '../../protocol/ids.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** The full form: `npm run prove -- checkpoints`. */
const isFull = proofCount(1) > 1;
const report = (line: string): void => {
  if (isFull) process.stdout.write(`${line}\n`);
};

function folders() {
  const folder = realpathSync(temporaryFolder('sizes'));
  const [work, data] = [join(folder, 'work'), join(folder, 'data')];
  for (const path of [work, data]) mkdirSync(path);
  return { work, data };
}

test('a folder with 50 GB of untracked files costs at most 2 s and no disk', async () => {
  const { work, data } = folders();
  writeFileSync(join(work, 'small'), 'x');
  mkdirSync(join(work, 'many'));
  for (let n = 0; n < 5; n++) {
    writeFileSync(join(work, `disk${n}.img`), '');
    truncateSync(join(work, `disk${n}.img`), 9 * 1024 ** 3);
  }
  for (let n = 0; n < 600; n++) {
    writeFileSync(join(work, 'many', `${n}`), '');
    truncateSync(join(work, 'many', `${n}`), 9 * 1024 ** 2);
  }
  const store = createCheckpoints(data);
  const started = performance.now();
  const taken = await store.take({ folder: work, session: S1, checkpointId: 'c' as CheckpointId, when: 'before' });
  const ms = performance.now() - started;
  expect(taken).toEqual({ skipped: 'the new files take 5,400 MB, more than 256 MB', off: true });
  const bytes = await store.bytes();
  report(`50 GB untracked: ${Math.round(ms)} ms, ${bytes} bytes`);
  expect(bytes).toBeLessThan(200_000);
  expect(ms).toBeLessThan(isFull ? 2000 : 20_000);
});

const TURNS = isFull ? 1000 : 12;

test(`${TURNS} turns take at most 3 times the changed bytes`, async () => {
  const { work, data } = folders();
  if (isFull) shell(work, `git clone -q --no-hardlinks ${ROOT} .`);
  else shell(work, 'git init -q; for n in 1 2 3; do seq 1 3000 > $n.ts; done; git add .');
  const files = shell(work, 'git ls-files "*.ts" | head -200').trim().split('\n');
  // How busy this machine is doesn't matter here.
  const store = createCheckpoints(data, PATIENT);
  let since: string | undefined;
  let changed = 0;
  const takeNext = async (n: number): Promise<void> => {
    const taken = await store.take({ folder: work, session: S1, checkpointId: `c${n}` as CheckpointId, when: 'after', since });
    if (isSkipped(taken)) throw new Error(taken.skipped);
    since = taken.commit;
  };
  await takeNext(0);
  const base = await store.bytes();
  for (let n = 1; n <= TURNS; n++) {
    for (const name of [files[n % files.length], files[(n * 7) % files.length]]) {
      const content = `${shell(work, `cat ${name}`)}// turn ${n}\n`;
      writeFileSync(join(work, name ?? ''), content);
      changed += content.length;
    }
    await takeNext(n);
  }
  const bytes = await store.bytes();
  report(
    `${TURNS} turns: ${(changed / 1e6).toFixed(1)} MB changed, ${((bytes - base) / 1e6).toFixed(1)} MB on disk, and ${(base / 1e6).toFixed(1)} MB for the first checkpoint`,
  );
  // In the short form the first checkpoint and half-empty blocks of the disk weigh more than the changes.
  if (isFull) expect(bytes).toBeLessThan(3 * changed);
  expect(bytes - base).toBeLessThan(3 * changed + TURNS * 64 * 1024);
});

/** Only in the full form: on a few files there is nothing to see. */
const FILES = 100_000;

if (isFull) test(`in a repository of ${FILES} files the agent gets its first byte as fast as without checkpoints`, firstByteIsAsFast);

async function firstByteIsAsFast(): Promise<void> {
  const { work } = folders();
  for (let n = 0; n < FILES; n++) {
    if (n % 100 === 0) mkdirSync(join(work, `d${n / 100}`));
    writeFileSync(join(work, `d${Math.floor(n / 100)}`, `${n}`), `file ${n}\n`);
  }
  shell(work, 'git init -q; git config user.email a@b; git config user.name a; git config gc.auto 0; git add -A; git commit -qm x');
  const standInOnly = { adapters: [standInAdapter], env: { [STAND_IN_VARIABLE]: standIn().command } };
  let data = '';
  // How busy this machine is doesn't matter here either: each checkpoint is made, however long it takes.
  const openCheckpoints = async () => createCheckpoints(data, PATIENT);
  const [withThem, without] = [await createWithCheckpoints({ openCheckpoints }), await createEngine(standInOnly)];
  data = withThem.dataDir;
  for (const setup of [withThem, without]) shell(setup.folder, `cp -a ${work} repository`);
  const times: [number[], number[]] = [[], []];
  for (let n = 0; n < 31; n++) {
    for (const [at, setup] of [withThem, without].entries()) {
      times[at]?.push(await firstByte(setup, join(setup.folder, 'repository'), n));
      // The checkpoint after the turn must not slow down what it is compared with.
      await withThem.engine.drain();
    }
  }
  const [a, b] = times.map((all) => all.slice(1).toSorted((x, y) => x - y)[15] ?? 0) as [number, number];
  const made = withThem.events(S1).filter((event) => event.type === 'checkpoint.made').length;
  const skipped = withThem.events(S1).filter((event) => event.type === 'checkpoint.skipped');
  report(
    `first byte with checkpoints ${a.toFixed(1)} ms, without ${b.toFixed(1)} ms: ${(a / b).toFixed(3)}×; ${made} checkpoints; skipped: ${JSON.stringify(skipped.map((event) => 'reason' in event && event.reason))}`,
  );
  // Hundreds of thousands of files take longer than cleaning up after a test may.
  for (const folder of [work, ...[withThem, without].map((setup) => join(setup.folder, 'repository'))]) shell('/', `rm -rf '${folder}'`);
  expect(skipped).toEqual([]);
  expect(made).toBeGreaterThan(30);
  expect(a / b).toBeLessThan(1.05);
}

/** From sending a message to the first line of the agent's turn. */
async function firstByte(setup: EngineSetup, cwd: string, n: number): Promise<number> {
  const id = S1;
  const turns = () => setup.events(id).filter((event) => event.type === 'turn.completed').length;
  if (n === 0) await setup.do({ type: 'session.create', sessionId: id, agent: AGENT, cwd, options: {} });
  const before = turns();
  let first = 0;
  const leave = setup.engine.watch(id, (news) => {
    if (first === 0 && news.kind === 'events' && news.events.some(({ type }) => type === 'turn.started')) first = performance.now();
  });
  const started = performance.now();
  await setup.do({ type: 'input.send', sessionId: id, text: 'flood 1' });
  await expect.poll(() => turns(), { interval: 5 }).toBeGreaterThan(before);
  leave();
  return first - started;
}

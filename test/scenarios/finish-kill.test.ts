import { chmodSync, existsSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FinishSession, gitFor, makeRepository, startFinishSession } from '../support/git/finish-session.ts';
import { thirtyLines } from '../support/git/repository.ts';
import { proofCount } from '../support/proof-length.ts';
import { startServer, type TestServer } from '../support/real-server.ts';
import { seeded } from '../support/seeded.ts';
import { waitFor } from '../support/wait-for.ts';

/** Two in `npm test`, a commit and a push; `npm run prove -- finish` runs 200. */
const SEEDS = proofCount(2);
const FIRST = Number(process.env.FINISH_FIRST_SEED ?? 1);
const ACTS = ['stage', 'commit', 'push'] as const;
const VICTIMS = ['server', 'git', 'both'] as const;
type Act = (typeof ACTS)[number];

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ env: { SIGNALBOX_MAX_LIVE: '500' } });
});
afterAll(() => server.close());

const tally = { kills: 0, gitKills: 0, failed: 0, again: 0 };
afterAll(() => process.env.SIGNALBOX_PROOF_TIMES !== undefined && process.stdout.write(`finish: ${JSON.stringify({ seeds: SEEDS, ...tally })}\n`));

for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
  const random = seeded(seed);
  const act = ACTS[seed % ACTS.length] ?? 'commit';
  const victims = VICTIMS[Math.floor(random() * VICTIMS.length)] ?? 'both';
  test(`[R342] seed ${seed}: ${victims} killed during ${act} leaves one commit, one push and what was staged`, async () => {
    const folder = makeRepository(server, `seed${seed}`, { 'a.txt': thirtyLines() });
    for (const hook of ['pre-commit', 'pre-push']) {
      writeFileSync(join(folder, '.git/hooks', hook), `#!/bin/sh\necho ${hook}\nsleep 0.0${Math.floor(random() * 5)}\n`);
      chmodSync(join(folder, '.git/hooks', hook), 0o755);
    }
    const session = await startFinishSession(server, folder);
    session.write('a.txt', thirtyLines([2, 15, 28]));
    const [first, second] = await session.hunks('unstaged', 'a.txt');
    const untouched = session.git('write-tree').trim();
    if (act !== 'stage') await session.post('stage', { hunks: [second] });
    const staged = session.git('write-tree').trim();
    if (act === 'push') session.git('commit', '-q', '--no-verify', '-m', 'to push');
    const request = { stage: { hunks: [first] }, commit: { message: `seed ${seed}` }, push: {} }[act];
    const send = (commandId: string) => session.post(act, { ...request, commandId }).catch(() => ({ status: 0, body: undefined }));
    const sent = send(`k${seed}`);
    await pause(random() * (act === 'stage' ? 40 : 160));
    if (victims !== 'server') await killGit(folder, random);
    if (victims !== 'git') {
      tally.kills += 1;
      await server.restart();
    }
    await sent;
    const check = { stage: checkStage, commit: checkCommit, push: checkPush }[act];
    await check(session, { seed, send, untouched, staged });
  });
}

interface Round {
  readonly seed: number;
  readonly send: (commandId: string) => Promise<{ readonly status: number }>;
  readonly untouched: string;
  readonly staged: string;
}

/** The index is as before or as wanted, never in between; asking again finishes it. */
async function checkStage(session: FinishSession, { seed, send, untouched }: Round): Promise<void> {
  await removeLeftLock(session);
  const isDone = () => session.git('show', ':a.txt') === thirtyLines([2]);
  if (!isDone()) {
    expect(session.git('write-tree').trim()).toBe(untouched);
    tally.again += 1;
    expect((await send(`again${seed}`)).status).toBe(200);
  }
  expect(isDone()).toBe(true);
  expect(readFileSync(join(session.folder, 'a.txt'), 'utf8')).toBe(thirtyLines([2, 15, 28]));
}

async function checkCommit(session: FinishSession, round: Round): Promise<void> {
  await settle(session, round, 'commit', () => expect(session.git('write-tree').trim()).toBe(round.staged));
  expect(session.git('rev-list', '--count', 'HEAD').trim()).toBe('2');
  expect(session.git('rev-parse', 'HEAD^{tree}').trim()).toBe(round.staged);
  expect(session.git('write-tree').trim()).toBe(round.staged);
}

async function checkPush(session: FinishSession, round: Round): Promise<void> {
  await settle(session, round, 'push', () => undefined);
  const bare = gitFor(server.home);
  const at = join(server.home, `seed${round.seed}.git`);
  expect(bare(at, 'rev-parse', 'refs/heads/main').trim()).toBe(session.git('rev-parse', 'HEAD').trim());
  expect(session.git('rev-list', '--count', 'HEAD').trim()).toBe('2');
}

/** Each command has one outcome, and it is true; a failed act can be repeated. */
async function settle(session: FinishSession, { seed, send }: Round, act: Act, whenFailed: () => void): Promise<void> {
  // Sending the same command again changes nothing if it was taken, and starts it if it was not.
  await send(`k${seed}`);
  const isTaken = (await session.events()).some((event) => event.type === 'git.started' && event.commandId === `k${seed}`);
  const first = isTaken ? await session.outcome(`k${seed}`) : undefined;
  if (first?.ok !== true) {
    tally.failed += 1;
    whenFailed();
    await removeLeftLock(session);
    expect((await send(`again${seed}`)).status).toBe(202);
    expect(await session.outcome(`again${seed}`)).toMatchObject({ ok: true });
  }
  await waitFor('nothing to run', async () => (await session.read()).running === undefined);
  const outcomes = (await session.events()).filter((event) => event.type === 'git.acted' && event.act === act);
  expect(outcomes.filter((event) => event.type === 'git.acted' && event.ok)).toHaveLength(1);
}

/** What a person does about the lock of a git that is certainly dead, and what Signalbox never does. */
async function removeLeftLock(session: FinishSession): Promise<void> {
  await waitFor('git to end', () => gitIn(session.folder).length === 0);
  const lock = join(session.folder, '.git/index.lock');
  if (existsSync(lock)) rmSync(lock);
}

/** Kills git processes of this folder at a seeded moment of their short lives. */
async function killGit(folder: string, random: () => number): Promise<void> {
  const deadline = performance.now() + 300;
  while (gitIn(folder).length === 0 && performance.now() < deadline) await pause(1);
  await pause(random() * 20);
  for (const pid of gitIn(folder)) {
    try {
      process.kill(pid, 'SIGKILL');
      tally.gitKills += 1;
    } catch {
      // It ended by itself.
    }
  }
}

const gitIn = (folder: string): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('git') && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
      } catch {
        return false;
      }
    })
    .map(Number);

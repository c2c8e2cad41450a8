import { spawn } from 'node:child_process';
import { chmodSync, closeSync, constants, mkdirSync, openSync, readdirSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { bytes, type Collected, collect, createHostSetup, feederOf, pidsIn, QUICK } from '../../test/support/engine/test-host.ts';
import { problemsToConsole } from '../../test/support/problems.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { Host, RunRef } from './host.ts';
import { identify, readStat } from './identity.ts';
import { LAUNCH_SCRIPT } from './launch-script.ts';
import { openHost } from './open-host.ts';

test('[R71] a closed host leaves its agents running; the next one finds them and continues reading without gaps or repeats', async () => {
  const hosting = createHostSetup();
  const ref = hosting.run();
  const [first, second] = [collect(), collect()];
  const before = hosting.open();
  await hosting.start(before, ref);
  const follower = before.follow(ref, 0, first);
  await before.send(ref, 0, bytes('hello\n'));
  await first.line('"ack"');
  await before.close();
  await before.close();
  const after = hosting.open();
  expect(await after.inspect(ref)).toMatchObject({ phase: 'live' });
  after.follow(ref, follower.atByte, second);
  await after.send(ref, 0, bytes('hello\n'));
  await after.send(ref, 6, bytes('again\n'));
  await second.line('"n":2');
  expect(second.texts).toHaveLength(1);
});

test('a send whose ring was lost is delivered when the run is followed again', async () => {
  const hosting = createHostSetup();
  const ref = hosting.run();
  const host = hosting.open();
  await hosting.start(host, ref);
  const seen = collect();
  const follower = host.follow(ref, 0, seen);
  await seen.line('ready');
  follower.close();
  const input = join(hosting.dataDir, 'sessions', ref.sessionId, ref.run, 'in.ndjson');
  writeFileSync(input, 'hello\n', { flag: 'a' });
  host.follow(ref, follower.atByte, seen);
  await seen.line('"ack"');
});

test('a ring that another reader took is repeated', async () => {
  const hosting = createHostSetup();
  const ref = hosting.run();
  const host = hosting.open({ limits: { ringAgainMs: 200 } });
  await hosting.start(host, ref);
  const seen = collect();
  host.follow(ref, 0, seen);
  await seen.line('ready');
  const { agent, shell } = pidsIn(hosting, ref);
  const feeder = feederOf(shell, agent);
  process.kill(feeder, 'SIGSTOP');
  await waitFor('the feeder to stop', () => readStat(feeder)?.state === 'T');
  await host.send(ref, 0, bytes('hello\n'));
  const thief = openSync(join(hosting.dataDir, 'sessions', ref.sessionId, ref.run, 'bell'), constants.O_RDONLY | constants.O_NONBLOCK);
  await waitFor('a ring', () => hasRead(thief));
  closeSync(thief);
  process.kill(feeder, 'SIGCONT');
  await seen.line('"ack"');
});

test('a moved data folder works as before', async () => {
  const hosting = createHostSetup();
  const ref = hosting.run();
  const before = hosting.open();
  await hosting.start(before, ref);
  const seen = collect();
  before.follow(ref, 0, seen);
  await seen.line('ready');
  await before.close();
  const moved = `${hosting.dataDir}-moved`;
  renameSync(hosting.dataDir, moved);
  const after = openHost({ problems: problemsToConsole(), dataDir: moved, limits: QUICK });
  const again = collect();
  after.follow(ref, 0, again);
  await after.send(ref, 0, bytes('hello\n'));
  await again.line('"ack"');
  const fresh = hosting.run('fresh');
  await after.start(fresh, { command: 'echo', args: ['new run'], cwd: moved, env: {} });
  const third = collect();
  after.follow(fresh, 0, third);
  expect(await third.end()).toMatchObject({ code: 0 });
  await after.end(ref, { how: 'idle' });
  await again.end();
  expect(again.texts.at(-1)).toBe('{"t":"eof"}');
  await after.close();
  renameSync(moved, hosting.dataDir);
});

test("[R70] a run that was never spawned is claimed: a late launcher can't start it", async () => {
  const hosting = createHostSetup();
  const ref = hosting.run();
  const host = hosting.open();
  const folder = join(hosting.dataDir, 'sessions', ref.sessionId, ref.run);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'host.json'), '{}');
  expect(await host.inspect(ref)).toEqual({ phase: 'starting' });
  expect(await host.claim(ref)).toEqual({ phase: 'absent' });
  const late = spawn('/bin/sh', [join(hosting.dataDir, 'launch.sh'), folder, 'touch', join(folder, 'started')], { stdio: 'ignore' });
  expect(await new Promise((resolve) => late.once('exit', resolve))).toBe(125);
  expect(readdirSync(folder)).not.toContain('started');
});

test('a claim waits for a launcher that is about to start its agent', async () => {
  const hosting = createHostSetup();
  const ref = hosting.run();
  const host = hosting.open();
  await hosting.start(host, ref, 'sleep', ['600']);
  const state = await host.claim(ref);
  expect(['live', 'absent']).toContain(state.phase);
  expect(await host.inspect(ref)).toEqual(state);
});

test('a launcher killed before its agent started is claimed as died, and nothing is left of it', async () => {
  const hosting = createHostSetup();
  const ref = hosting.run();
  const host = hosting.open({ limits: { startMs: 100 } });
  const folder = join(hosting.dataDir, 'sessions', ref.sessionId, ref.run);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'host.json'), '{}');
  spawn('mkfifo', [join(folder, 'bell')], { stdio: 'ignore' });
  const feeder = spawn('sleep', ['600'], { env: { PATH: process.env.PATH, SIGNALBOX_RUN: ref.run }, stdio: 'ignore' });
  const exited = new Promise((resolve) => feeder.once('exit', (_, signal) => resolve(signal)));
  while (!readdirSync(folder).includes('bell')) await new Promise(setImmediate);
  expect(await host.claim(ref)).toEqual({ phase: 'died' });
  // By TERM, or by KILL on a slow machine.
  expect(await exited).toMatch(/^SIG(TERM|KILL)$/);
});

test('a changed launcher replaces the file, and a shell reading the old one is not disturbed', async () => {
  const hosting = createHostSetup();
  await hosting.open().close();
  const path = join(hosting.dataDir, 'launch.sh');
  const same = statSync(path).ino;
  await hosting.open().close();
  expect(statSync(path).ino).toBe(same);
  writeFileSync(path, `${LAUNCH_SCRIPT}# older\n`);
  await hosting.open().close();
  expect(statSync(path).ino).not.toBe(same);
});

test('two hundred runs are started, found again by another host, and ended', async () => {
  const hosting = createHostSetup();
  const refs = Array.from({ length: 200 }, () => hosting.run());
  const before = hosting.open();
  await Promise.all(refs.map((ref) => hosting.start(before, ref)));
  const first = await answers(before, refs, 0, 1);
  await before.close();
  const after = hosting.open();
  const states = await Promise.all(refs.map((ref) => after.inspect(ref)));
  expect(states.filter((state) => state.phase === 'live')).toHaveLength(200);
  const second = await answers(after, refs, 4, 2, first);
  expect(after.stats().following).toBe(200);
  await Promise.all(refs.map((ref) => after.end(ref, { how: 'idle' })));
  const ends = await Promise.all(second.map((seen) => seen.end()));
  expect(ends.filter((end) => end.code === 0)).toHaveLength(200);
});

/** Sends each run one line and waits for its answer; continues reading where `from` stopped. */
async function answers(host: Host, refs: readonly RunRef[], offset: number, n: number, from?: readonly Collected[]): Promise<readonly Collected[]> {
  return Promise.all(
    refs.map(async (ref, i) => {
      const seen = collect();
      host.follow(ref, from?.[i]?.atByte ?? 0, seen);
      await host.send(ref, offset, bytes(`${100 + i}\n`));
      expect(JSON.parse(await seen.line('"ack"'))).toMatchObject({ n, bytes: 3 });
      return seen;
    }),
  );
}

test('a forgotten session has no processes or files left', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const refs = [hosting.run(), hosting.run()];
  for (const ref of refs) await hosting.start(host, ref);
  const seen = refs.map((ref) => {
    const sink = collect();
    host.follow(ref, 0, sink);
    return sink;
  });
  const pids = await Promise.all(seen.map(async (sink) => JSON.parse(await sink.line('ready')).pid));
  await host.forget(refs[0]!.sessionId);
  expect(pids.map(identify)).toEqual([undefined, undefined]);
  expect(readdirSync(join(hosting.dataDir, 'sessions'))).toEqual([]);
  await Promise.all(seen.map((sink) => sink.end()));
});

test('a data folder that others could read is restricted', async () => {
  const hosting = createHostSetup();
  chmodSync(hosting.dataDir, 0o755);
  await hosting.open().close();
  expect(statSync(hosting.dataDir).mode & 0o777).toBe(0o700);
});

test('a relative data folder works', async () => {
  const hosting = createHostSetup();
  const ref = hosting.run();
  const host = hosting.open({ dataDir: relative(process.cwd(), hosting.dataDir) });
  await hosting.start(host, ref, 'echo', ['here']);
  const seen = collect();
  host.follow(ref, 0, seen);
  expect(await seen.end()).toMatchObject({ code: 0 });
});

/** An empty pipe fails with an error. */
function hasRead(pipe: number): boolean {
  try {
    return readSync(pipe, Buffer.alloc(10)) > 0;
  } catch {
    return false;
  }
}

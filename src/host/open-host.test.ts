import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bytes, collect, createHostSetup } from '../../test/support/engine/test-host.ts';
import { LaunchFailed } from './host.ts';

test('a run takes input, its output is followed, and end of input ends it when idle', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref);
  const seen = collect();
  host.follow(ref, 0, seen);
  await host.send(ref, 0, bytes('hello\n'));
  expect(JSON.parse(await seen.line('"ack"'))).toMatchObject({ n: 1, bytes: 5 });
  expect(await host.inspect(ref)).toMatchObject({ phase: 'live' });
  await host.end(ref, { how: 'idle' });
  expect(await seen.end()).toEqual({ code: 0, stderrTail: '' });
  expect(seen.texts.at(-1)).toBe('{"t":"eof"}');
  expect(await host.inspect(ref)).toEqual({ phase: 'ended', code: 0 });
});

test('following from an offset delivers exactly the lines after it, each with its start byte', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref, 'printf', ['eins\\nzwei\\ndrei\\n']);
  const all = collect();
  host.follow(ref, 0, all);
  await all.end();
  expect(all.starts).toEqual([0, 5, 10]);
  const rest = collect();
  host.follow(ref, 5, rest);
  await rest.end();
  expect(rest.texts).toEqual(['zwei', 'drei']);
  expect(rest.atByte).toBe(15);
});

test('the exit status, the signal and the last error output of a command are reported', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const cases = [
    ['exit 3', { code: 3, stderrTail: '' }],
    ['echo broken >&2; exit 1', { code: 1, stderrTail: 'broken\n' }],
    ['kill -TERM $$', { code: 143, signal: 'SIGTERM' }],
  ] as const;
  for (const [script, expected] of cases) {
    const ref = hosting.run();
    await hosting.start(host, ref, '/bin/sh', ['-c', script]);
    const seen = collect();
    host.follow(ref, 0, seen);
    expect(await seen.end()).toMatchObject(expected);
  }
});

test('a missing command ends with 127 and says so', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref, 'no-such-agent');
  const seen = collect();
  host.follow(ref, 0, seen);
  expect(await seen.end()).toMatchObject({ code: 127, stderrTail: expect.stringContaining('no-such-agent') });
});

test('a missing folder makes the launch fail, and the run can never start', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  const launch = { command: 'true', args: [], cwd: join(hosting.dataDir, 'nowhere'), env: {} };
  await expect(host.start(ref, launch)).rejects.toBeInstanceOf(LaunchFailed);
  expect(await host.inspect(ref)).toEqual({ phase: 'absent' });
});

test('[R70] a run is started once: a second start is refused and leaves the first one undisturbed', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref);
  await expect(hosting.start(host, ref)).rejects.toBeInstanceOf(LaunchFailed);
  const seen = collect();
  host.follow(ref, 0, seen);
  await host.send(ref, 0, bytes('still there\n'));
  await seen.line('"ack"');
});

test('a command gets its environment, which is written nowhere', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref, '/bin/sh', ['-c', 'echo "$sb_like $d $SIGNALBOX_RUN"'], { sb_like: 'one', d: 'secret-two' });
  const seen = collect();
  host.follow(ref, 0, seen);
  await seen.end();
  expect(seen.texts).toEqual([`one secret-two ${ref.run}`]);
  const folder = join(hosting.dataDir, 'sessions', ref.sessionId, ref.run);
  for (const name of ['host.json', 'pids', 'err.log']) expect(readFileSync(join(folder, name), 'utf8')).not.toContain('secret-two');
});

test('[R74] folders are 0700 and all files of a run are 0600, whatever the umask', async () => {
  const before = process.umask(0o022);
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref);
  process.umask(before);
  const seen = collect();
  host.follow(ref, 0, seen);
  await seen.line('"ready"');
  const folder = join(hosting.dataDir, 'sessions', ref.sessionId, ref.run);
  const live = modesIn(folder);
  await host.end(ref, { how: 'idle' });
  expect(live).toEqual(live.map(([name]) => [name, '600']));
  expect(live.map(([name]) => name)).toContain('bell');
  expect(modesIn(folder)).toEqual(modesIn(folder).map(([name]) => [name, '600']));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(hosting.dataDir, 'launch.sh')).mode & 0o777).toBe(0o600);
});

const modesIn = (folder: string): [string, string][] => readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]);

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { bytes, collect, createHostSetup, feederOf, type HostSetup, pidsIn } from '../../test/support/engine/test-host.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { readIfExists } from './files.ts';
import type { Host, RunRef } from './host.ts';
import { identify } from './identity.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`../../test/fixtures/${name}`, import.meta.url));
const filePath = (hosting: HostSetup, ref: RunRef, name: string): string => join(hosting.dataDir, 'sessions', ref.sessionId, ref.run, name);
const isRunning = (pid: number): boolean => identify(pid) !== undefined;

test('[R67] in mid-turn the interrupt line comes before the end of input', async () => {
  const { host, ref, seen } = await startedStandIn();
  await host.end(ref, { how: 'interrupt', offset: 0, bytes: bytes('{"id":"stop"}\n') });
  expect(await seen.end()).toMatchObject({ code: 0 });
  expect(seen.texts.slice(1).map((text) => JSON.parse(text))).toMatchObject([{ t: 'ack', id: 'stop' }, { t: 'eof' }]);
});

const ladder = [
  ['INT', 'ended by INT'],
  ['TERM', 'ended by TERM'],
] as const;
for (const [name, word] of ladder) {
  test(`an agent that ignores end of input is ended by ${name} if it handles that signal`, async () => {
    const { host, ref, seen } = await started('/bin/sh', [fixture('ends-on.sh'), name]);
    await host.end(ref, { how: 'idle' });
    expect(await seen.end()).toMatchObject({ code: 0 });
    expect(seen.texts).toContain(word);
  });
}

test('an agent in mid-turn that ignores everything is killed, and its exit status says so', async () => {
  const { host, ref, seen } = await started('/bin/sh', [fixture('ignores-everything.sh')]);
  await host.end(ref, { how: 'interrupt', offset: 0, bytes: bytes('stop\n') });
  expect(await seen.end()).toMatchObject({ code: 137, signal: 'SIGKILL' });
  expect(await host.children(ref)).toEqual([]);
});

test('[R68] children of tools are listed while the agent is alive and end with it, whichever session they are in', async () => {
  const { host, ref, seen, hosting } = await started('/bin/sh', [fixture('leaves-children.sh')]);
  const pids = (await seen.line('children')).split(' ').slice(1).map(Number);
  const listed = await host.children(ref);
  expect(listed).toEqual(expect.arrayContaining(pids));
  const { agent, shell } = pidsIn(hosting, ref);
  expect(listed).not.toContain(agent);
  expect(listed).not.toContain(shell);
  await host.end(ref, { how: 'signal' });
  expect(pids.filter(isRunning)).toEqual([]);
  expect(await host.children(ref)).toEqual([]);
});

test('ending a run sweeps the children left by an agent that was killed from outside', async () => {
  const { host, ref, seen, hosting } = await started('/bin/sh', [fixture('leaves-children.sh')]);
  const [marked] = (await seen.line('children')).split(' ').slice(1).map(Number);
  // One of them cleared its environment; once its parent is dead, nothing identifies it.
  const unknowable = Number((await seen.line('children')).split(' ')[2]);
  onTestFinished(() => endGroup(unknowable));
  process.kill(pidsIn(hosting, ref).agent, 'SIGKILL');
  expect(await seen.end()).toMatchObject({ code: 137 });
  expect(isRunning(marked!)).toBe(true);
  await host.end(ref, { how: 'idle' });
  expect(isRunning(marked!)).toBe(false);
});

test('ending a run twice at the same time ends it once', async () => {
  const { host, ref, seen } = await startedStandIn();
  await Promise.all([host.end(ref, { how: 'idle' }), host.end(ref, { how: 'signal' })]);
  expect(seen.ends).toEqual([{ code: 0, stderrTail: '' }]);
});

test('a run can be ended before its agent has started', async () => {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref);
  await host.end(ref, { how: 'idle' });
  expect(['absent', 'ended', 'died']).toContain((await host.inspect(ref)).phase);
  expect(await host.children(ref)).toEqual([]);
});

for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  test(`a ${name} to the whole process group still leaves an exit status and no FIFO`, async () => {
    const { host, ref, seen, hosting } = await startedStandIn();
    process.kill(-pidsIn(hosting, ref).shell, name);
    expect(await seen.end()).toMatchObject({ signal: name });
    await waitFor('the bell to be gone', () => !existsSync(filePath(hosting, ref, 'bell')));
    await host.end(ref, { how: 'idle' });
  });
}

test('when the feeder is killed, the agent gets end of input', async () => {
  const { seen, hosting, ref } = await startedStandIn();
  const { agent, shell } = pidsIn(hosting, ref);
  process.kill(feederOf(shell, agent), 'SIGKILL');
  expect(await seen.end()).toMatchObject({ code: 0 });
  expect(seen.texts.at(-1)).toBe('{"t":"eof"}');
});

test('an agent continues when its shell is killed; its exit status is then unknown, and no process is left over', async () => {
  const { host, ref, seen, hosting } = await startedStandIn();
  process.kill(pidsIn(hosting, ref).shell, 'SIGKILL');
  await host.send(ref, 0, bytes('still there\n'));
  await seen.line('"ack"');
  expect(await host.inspect(ref)).toMatchObject({ phase: 'live' });
  await host.end(ref, { how: 'idle' });
  expect(await seen.end()).toEqual({ stderrTail: '' });
  expect(seen.texts.at(-1)).toBe('{"t":"eof"}');
  expect(await host.inspect(ref)).toEqual({ phase: 'died' });
});

test('an agent killed together with its shell is reported as gone right away', async () => {
  const { seen, hosting, ref } = await startedStandIn();
  const { agent, shell } = pidsIn(hosting, ref);
  process.kill(shell, 'SIGKILL');
  process.kill(agent, 'SIGKILL');
  expect(await seen.end()).toEqual({ stderrTail: '' });
});

test('[R69] a pid that now belongs to another process is never signaled, and the run counts as died', async () => {
  const { host, ref, hosting } = await startedStandIn();
  const { agent } = pidsIn(hosting, ref);
  const other = hosting.run('other');
  await hosting.start(host, other);
  const innocent = await waitFor('the other run', () => readIfExists(filePath(hosting, other, 'pids')));
  const otherStart = innocent.replace(/^(start .*\) (?:\S+ ){19})(\d+)/m, (_, before, ticks) => `${before}${Number(ticks) - 1}`);
  expect(otherStart).not.toBe(innocent);
  writeFileSync(filePath(hosting, ref, 'pids'), otherStart);
  expect(await host.inspect(ref)).toEqual({ phase: 'died' });
  await host.end(ref, { how: 'signal' });
  expect(await host.inspect(other)).toMatchObject({ phase: 'live' });
  expect(isRunning(agent)).toBe(false); // still found by its marker
});

interface Started {
  readonly host: Host;
  readonly ref: RunRef;
  readonly seen: ReturnType<typeof collect>;
  readonly hosting: HostSetup;
}

const startedStandIn = (): Promise<Started> => started();

async function started(command?: string, args?: readonly string[]): Promise<Started> {
  const hosting = createHostSetup();
  const host = hosting.open();
  const ref = hosting.run();
  await hosting.start(host, ref, command, args);
  const seen = collect();
  host.follow(ref, 0, seen);
  await waitFor('its first line', () => seen.texts.length > 0);
  return { host, ref, seen, hosting };
}

/** A process that was swept before it cleared its environment is already gone. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

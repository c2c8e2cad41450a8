import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../test/support/wait-for.ts';
import { identify, isAlive, parsePids, parseStat, readStat, signal } from './identity.ts';

test('the fields of a process are counted from the last bracket in its name', () => {
  const fields = ['S', '4242', ...Array.from({ length: 17 }, (_, i) => String(i)), '987654', '1', '2'];
  expect(parseStat(`77 (a) b) (sh) ${fields.join(' ')}`)).toEqual({ state: 'S', ppid: 4242, start: '987654' });
  expect(parseStat('77 nonsense')).toBeUndefined();
});

test('pids can be read in both forms: a line of /proc, or a start time from ps', () => {
  const stat = `12 (sh) S 11 ${Array.from({ length: 17 }, () => '0').join(' ')} 555 0`;
  expect(parsePids(`agent 12\nsh 11\nstart ${stat}\nboot abc\n`)).toEqual({ agent: { pid: 12, start: '555', boot: 'abc' }, shell: 11 });
  expect(parsePids('agent 12\nsh 11\nstart Sun Nov 15 02:58:36 2026\nboot \n')).toEqual({
    agent: { pid: 12, start: 'Sun Nov 15 02:58:36 2026', boot: '' },
    shell: 11,
  });
});

for (const text of ['', 'agent 12\n', 'agent x\nsh 1\nstart 5\n', 'agent 1\nsh 1\nstart 5\nboot a\n']) {
  test(`text that doesn't identify a process yields none: ${JSON.stringify(text)}`, () => expect(parsePids(text)).toBeUndefined());
}

test('our own process is alive; with another start time or boot it is a different process', () => {
  const us = identify(process.pid)!;
  expect(isAlive(us)).toBe(true);
  expect(isAlive({ ...us, start: `${us.start}1` })).toBe(false);
  expect(isAlive({ ...us, boot: 'another' })).toBe(false);
  expect(signal({ ...us, start: '1' }, 'SIGKILL')).toBe(false);
});

test('[R69] a zombie is dead, although its pid still answers', async () => {
  // The shell turns into a program that never waits for its child, so the child stays a zombie.
  const parent = spawn('/bin/sh', ['-c', 'sleep 0.01 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [printed] = await once(parent.stdout, 'data');
  const pid = Number(String(printed));
  await waitFor('a zombie', () => readStat(pid)?.state === 'Z');
  expect(process.kill(pid, 0)).toBe(true);
  expect(identify(pid)).toBeUndefined();
});

import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { forEach, Problems } from './problems.ts';

function listening() {
  const logged: string[] = [];
  const changes: (readonly string[])[] = [];
  const say = (_: object, message: string): void => void logged.push(message);
  const problems = new Problems({ info: say, error: say }, () => new Date(0));
  problems.watch(() => changes.push(problems.current().map(({ text }) => text)));
  return { problems, logged, changes };
}

const failure = (code: string, path?: string): Error =>
  Object.assign(new Error(`${code}: as the system says it`), { code, ...(path !== undefined && { path }) });
const failing = (error: Error) => () => {
  throw error;
};

test('[R300] a repeated failure is logged once, shown as a sentence, and removed when it works', () => {
  const { problems, logged, changes } = listening();
  for (const file of ['/data/a', '/data/b', '/data/c']) problems.during('check on agents', failing(failure('ENOENT', file)));
  expect(problems.current()).toEqual([
    { text: "/data/a is missing (was it moved?). Signalbox can't check on agents. It keeps trying.", since: '1970-01-01T00:00:00.000Z' },
  ]);
  problems.during('check on agents', () => undefined);
  expect(logged).toEqual(["Signalbox can't check on agents: /data/a is missing (was it moved?). It keeps trying.", 'Signalbox can check on agents again.']);
  expect(changes.map((texts) => texts.length)).toEqual([1, 0]);
});

test('[R300] a failure is logged again when its reason changes, and when it fails again after working', () => {
  const { problems, logged } = listening();
  for (const code of ['ENOENT', 'EMFILE', 'EMFILE']) problems.failed('check on agents', failure(code));
  problems.worked('check on agents');
  problems.failed('check on agents', failure('EMFILE'));
  expect(logged.map((line) => line.replace(/^.*?: |\. It.*$/g, ''))).toEqual([
    'a file is missing (was it moved?)',
    'the server has no file descriptors left (raise its limit with "ulimit -n")',
    'Signalbox can check on agents again.',
    'the server has no file descriptors left (raise its limit with "ulimit -n")',
  ]);
});

test('[R300] a failure shared by several callers ends when it works for all of them', () => {
  const { problems, logged } = listening();
  for (const who of ['s1', 's2']) problems.failed('stop agents', failure('EIO'), who);
  problems.worked('stop agents', 's1');
  problems.worked('stop agents', 'another');
  expect(problems.current()).toHaveLength(1);
  problems.worked('stop agents', 's2');
  expect([problems.current(), logged.length]).toEqual([[], 2]);
});

test('several failures with one reason are one sentence', () => {
  const { problems } = listening();
  for (const what of ['check on agents', 'measure memory']) problems.failed(what, new Error('outer', { cause: failure('EMFILE') }));
  problems.failed('update the lists', new Error('That is broken.\nMore about it.'));
  expect(problems.current().map(({ text }) => text)).toEqual([
    'The server has no file descriptors left (raise its limit with "ulimit -n"). Signalbox can\'t check on agents, measure memory. It keeps trying.',
    "That is broken. Signalbox can't update the lists. It keeps trying.",
  ]);
});

test('[R300] failing timers, listeners and promises throw nothing, and the timer keeps ticking', async () => {
  const { problems } = listening();
  const folder = temporaryFolder('problems');
  let ticks = 0;
  const timer = problems.every('tick', 1, () => {
    ticks += 1;
    statSync(ticks < 3 ? `${folder}/missing` : folder);
  });
  problems.after('wait', 0, failing(failure('EIO')));
  problems.soon('hurry', failing(failure('EIO')));
  problems.guarded('listen', failing(failure('EIO')))();
  problems.during('promise', () => Promise.reject(failure('EIO')));
  const words = () =>
    problems
      .current()
      .map(({ text }) => text)
      .join();
  await waitFor('the others to have failed', () => ['listen', 'promise', 'hurry', 'wait'].every((what) => words().includes(what)));
  await waitFor('the timer to work again', () => ticks > 3 && !words().includes('tick'));
  clearInterval(timer);
});

test('[R300] work scheduled with retry runs again after it fails', async () => {
  const { problems } = listening();
  let tries = 0;
  problems.soonWithRetry('start sessions', () => {
    tries += 1;
    if (tries === 1) throw failure('EIO');
  });
  await waitFor('the second try', () => tries === 2 && problems.current().length === 0);
});

test('one failing item doesn’t stop the others', () => {
  const done: number[] = [];
  const work = (item: number): void => {
    if (item === 2) throw new Error('no');
    done.push(item);
  };
  expect(() => forEach([1, 2, 3], work)).toThrow('no');
  expect(done).toEqual([1, 3]);
});

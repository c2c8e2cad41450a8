import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collect, createHostSetup } from '../../test/support/engine/test-host.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { Problems } from '../problems/problems.ts';
import { throwIfExhausted } from './files.ts';

/** Counts how often what repeats was done. */
class CountingProblems extends Problems {
  repeats = 0;

  override every(what: string, ms: number, work: () => unknown): NodeJS.Timeout {
    return super.every(what, ms, () => {
      this.repeats += 1;
      return work();
    });
  }
}

const recordedProblems = () => {
  const lines: string[] = [];
  const log = (_: object, message: string): void => void lines.push(message);
  return { lines, problems: new CountingProblems({ info: log, error: log }) };
};

test('[R300] while the data folder is missing no agent counts as gone, and afterwards reading continues', async () => {
  const hosting = createHostSetup();
  const { lines, problems } = recordedProblems();
  const host = hosting.open({ problems });
  const ref = hosting.run();
  await hosting.start(host, ref);
  const sink = collect();
  host.follow(ref, 0, sink);
  await host.send(ref, 0, Buffer.from('{"n":1}\n'));
  await sink.line('"n":1');
  const away = `${hosting.dataDir}-away`;
  renameSync(hosting.dataDir, away);
  await waitFor('a problem', () => problems.current().length > 0);
  await expect(host.inspect(ref)).rejects.toThrow('ENOENT');
  await expect(host.send(ref, 8, Buffer.from('{"n":2}\n'))).rejects.toThrow('ENOENT');
  await expect(host.start(hosting.run(), { command: 'true', args: [], cwd: '/', env: {} })).rejects.toThrow('could not be started');
  expect(existsSync(hosting.dataDir)).toBe(false);
  renameSync(away, hosting.dataDir);
  await waitFor('the problem to be resolved', () => problems.current().length === 0);
  await host.send(ref, 8, Buffer.from('{"n":2}\n'));
  await sink.line('"n":2');
  expect(sink.ends).toEqual([]);
  expect(lines.filter((line) => line.includes('check on running agents'))).toHaveLength(2);
});

test('[R300] a run that could not be checked is checked again in every sweep, and stays a problem until it can be', async () => {
  const hosting = createHostSetup();
  const { problems } = recordedProblems();
  const host = hosting.open({ problems, limits: { sweepMs: 20, identityMs: 2000 } });
  const ref = hosting.run();
  await hosting.start(host, ref);
  const sink = collect();
  host.follow(ref, 0, sink);
  await host.send(ref, 0, Buffer.from('{"n":1}\n'));
  await sink.line('"n":1');
  const pids = join(hosting.dataDir, 'sessions', ref.sessionId, ref.run, 'pids');
  renameSync(pids, `${pids}-away`);
  mkdirSync(pids);
  await waitFor('a problem', () => problems.current().length > 0);
  const sweeps = problems.repeats;
  await waitFor('three more sweeps', () => problems.repeats >= sweeps + 3);
  expect(problems.current()).not.toEqual([]);
  rmdirSync(pids);
  renameSync(`${pids}-away`, pids);
  await waitFor('the problem to be resolved', () => problems.current().length === 0);
  expect(sink.ends).toEqual([]);
});

test('[R300] running out of file descriptors says nothing about a process; missing files do', () => {
  const failure = (code: string): Error => Object.assign(new Error(code), { code });
  for (const code of ['EMFILE', 'ENFILE', 'ENOMEM']) expect(() => throwIfExhausted(failure(code))).toThrow(code);
  for (const code of ['ENOENT', 'ESRCH', 'EACCES']) expect(() => throwIfExhausted(failure(code))).not.toThrow();
});

import { existsSync, renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { collect, createHostSetup } from '../../test/support/engine/test-host.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { Problems } from '../problems/problems.ts';
import { throwIfExhausted } from './files.ts';

const recordedProblems = () => {
  const lines: string[] = [];
  const log = (_: object, message: string): void => void lines.push(message);
  return { lines, problems: new Problems({ info: log, error: log }) };
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

test('[R300] running out of file descriptors says nothing about a process; missing files do', () => {
  const failure = (code: string): Error => Object.assign(new Error(code), { code });
  for (const code of ['EMFILE', 'ENFILE', 'ENOMEM']) expect(() => throwIfExhausted(failure(code))).toThrow(code);
  for (const code of ['ENOENT', 'ESRCH', 'EACCES']) expect(() => throwIfExhausted(failure(code))).not.toThrow();
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { bundle } from '../../test/support/bundle.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { DataFolderInUse, lockDataFolder } from './lock.ts';

const FIXTURE = fileURLToPath(new URL('../../test/fixtures/holds-data-folder.mjs', import.meta.url));
const folder = (): string => temporaryFolder('lock');
const others: ChildProcess[] = [];

afterEach(() => {
  for (const other of others.splice(0)) other.kill('SIGKILL');
});

test('[R73] a second server on the same data folder is refused, and the error names the process that uses it', async () => {
  const dataDir = folder();
  const { process: holder } = await otherServer(dataDir);
  expect(() => lockDataFolder(dataDir)).toThrow(DataFolderInUse);
  expect(() => lockDataFolder(dataDir)).toThrow(new RegExp(`in use by the Signalbox server with process id ${holder.pid}, since 20.* --data`));
});

test('the lock of a killed server is taken over', async () => {
  const dataDir = folder();
  const { process: holder } = await otherServer(dataDir);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  lockDataFolder(dataDir).release();
});

test('[R73] if several servers take over a dead lock at once, exactly one gets it', async () => {
  const dataDir = folder();
  const { process: holder } = await otherServer(dataDir);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const answers = await Promise.all(Array.from({ length: 6 }, async () => (await otherServer(dataDir)).says));
  expect(answers.filter((says) => says === 'held')).toHaveLength(1);
  expect(answers.filter((says) => says.includes('is in use by'))).toHaveLength(5);
});

test('a released lock can be taken again, even by the same process, and can be released twice', () => {
  const dataDir = folder();
  const first = lockDataFolder(dataDir);
  expect(() => lockDataFolder(dataDir)).toThrow(DataFolderInUse);
  first.release();
  const second = lockDataFolder(dataDir);
  first.release();
  expect(() => lockDataFolder(dataDir)).toThrow(DataFolderInUse);
  second.release();
  expect(readdirSync(dataDir)).toEqual(['lock-2']);
});

async function otherServer(dataDir: string): Promise<{ process: ChildProcess; says: string }> {
  const other = spawn(process.execPath, [FIXTURE, bundle('src/host/lock.ts'), dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  others.push(other);
  const [first] = await once(other.stdout, 'data');
  return { process: other, says: String(first).trim() };
}

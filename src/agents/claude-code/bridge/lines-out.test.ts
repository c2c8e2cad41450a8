import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { waitFor } from '../../../../test/support/wait-for.ts';
import { createLinesOut } from './lines-out.ts';

function openFifo(): number {
  const path = join(temporaryFolder('lines-out'), 'fifo');
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => closeSync(fd));
  return fd;
}

test('output that cannot be written now is written later, complete and in order', async () => {
  const fd = openFifo();
  const out = createLinesOut(fd, (error) => expect.fail(String(error)));
  const long = 'x'.repeat(300_000); // more than a pipe holds
  out.put(long);
  out.put('short');
  let text = '';
  const buffer = Buffer.alloc(65_536);
  await waitFor('both lines', () => {
    if (text.length < 300_006) text += readNow(fd, buffer);
    return text.endsWith('short\n');
  });
  expect(text).toBe(`${long}\nshort\n`);
  await out.flushed();
  expect(out.isBehind).toBe(false);
});

function readNow(fd: number, buffer: Buffer): string {
  try {
    return buffer.toString('utf8', 0, readSync(fd, buffer));
  } catch {
    return ''; // nothing there yet
  }
}

test('output that can never be written is reported', async () => {
  const failures: unknown[] = [];
  const out = createLinesOut(-1, (error) => failures.push(error));
  out.put('lost');
  await out.flushed();
  expect(failures).toHaveLength(1);
});

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { problemsToConsole } from '../../test/support/problems.ts';
import { HOST_LIMITS } from './limits.ts';
import { createBells } from './ring-feeders.ts';

/** Enough to hit the moment between opening and ringing the bell a few dozen times. */
const RINGS = 3000;

test('a feeder that exits at the moment it is rung causes no error', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-ring-'));
  const bell = join(folder, 'bell');
  execFileSync('mkfifo', [bell]);
  const flickeringReader = spawn('/bin/sh', ['-c', 'while [ -p "$1" ]; do : <"$1"; done', 'sh', bell], { stdio: 'ignore' });
  onTestFinished(() => {
    flickeringReader.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const bells = createBells(HOST_LIMITS, tmpdir(), problemsToConsole());

  expect(() => {
    for (let ring = 0; ring < RINGS; ring++) bells.end(bell);
  }).not.toThrow();
});

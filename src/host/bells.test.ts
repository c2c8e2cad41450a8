import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { printedProblems } from '../../test/support/problems.ts';
import { createBells } from './bells.ts';
import { HOST_LIMITS } from './limits.ts';

/** Enough to meet the instant between opening the bell and ringing it some dozen times. */
const RINGS = 3000;

test('a feeder that goes at the very moment it is rung for is no fault', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-ring-'));
  const bell = join(folder, 'bell');
  execFileSync('mkfifo', [bell]);
  const comesAndGoes = spawn('/bin/sh', ['-c', 'while [ -p "$1" ]; do : <"$1"; done', 'sh', bell], { stdio: 'ignore' });
  onTestFinished(() => {
    comesAndGoes.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const bells = createBells(HOST_LIMITS, tmpdir(), printedProblems());

  expect(() => {
    for (let ring = 0; ring < RINGS; ring++) bells.end(bell);
  }).not.toThrow();
});

import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const NAMES = ['panel-day-1440-dark.png', 'session-1440-light.png', 'panel-day-390-dark.png', 'session-390-light.png'];

/** Runs the script in a package whose screenshots are from yesterday, with tests that redraw these and skip the others. */
function draw(names: readonly string[]) {
  const folder = temporaryFolder('pictures');
  for (const inside of ['bin', '.cache/screenshots', 'docs/images']) mkdirSync(join(folder, inside), { recursive: true });
  cpSync(join(ROOT, 'scripts/pictures.mjs'), join(folder, 'scripts/pictures.mjs'));
  const yesterday = new Date(Date.now() - 86_400_000);
  for (const name of NAMES) {
    writeFileSync(join(folder, '.cache/screenshots', name), 'old');
    utimesSync(join(folder, '.cache/screenshots', name), yesterday, yesterday);
  }
  const npx = join(folder, 'bin/npx');
  writeFileSync(npx, ['#!/bin/sh', ...names.map((name) => `echo new > .cache/screenshots/${name}`), 'exit 0'].join('\n'));
  chmodSync(npx, 0o755);
  const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` };
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/pictures.mjs')], { encoding: 'utf8', env });
  return { status, stderr, copied: readdirSync(join(folder, 'docs/images')).length };
}

test('screenshots that the tests drew are copied', () => {
  expect(draw(NAMES)).toEqual({ status: 0, stderr: '', copied: 4 });
});

test('if a screenshot was not redrawn, the script says so and copies none', () => {
  expect(draw(NAMES.slice(1))).toEqual({
    status: 1,
    stderr: expect.stringMatching(/^Not redrawn: panel-day-1440-dark\.png\. .*without Chromium/),
    copied: 0,
  });
});

// `npm run pictures`: runs the tests that draw the README's pictures and copies the results.
import { spawnSync } from 'node:child_process';
import { copyFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const PICTURES = {
  'panel-day-1440-dark.png': 'deck-dark.png',
  'session-1440-light.png': 'session-light.png',
  'panel-day-390-dark.png': 'phone-deck-dark.png',
  'session-390-light.png': 'phone-session-light.png',
};

const TESTS = ['test/scenarios/panel-page.test.ts', 'test/scenarios/session-page.test.ts'];
const TITLES = 'a box in the middle of its day|every kind of card';
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'scenarios', ...TESTS, '-t', TITLES], { cwd: ROOT, stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
const drawn = (name) => join(ROOT, '.cache/screenshots', name);
// A skipped test is not a failure, and pictures of an earlier run may still be there.
const old = Object.keys(PICTURES).filter((name) => (statSync(drawn(name), { throwIfNoEntry: false })?.mtimeMs ?? 0) < performance.timeOrigin);
if (old.length > 0) {
  console.error(`Not redrawn: ${old.join(', ')}. The tests that draw them were skipped (they are without Chromium); nothing was copied.`);
  process.exit(1);
}
for (const [from, to] of Object.entries(PICTURES)) copyFileSync(drawn(from), join(ROOT, 'docs/images', to));

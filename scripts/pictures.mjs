// `npm run pictures`: has the tests draw the pictures of the README again, and takes them over.
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const PICTURES = {
  'panel-day-1440-dark.png': 'deck-dark.png',
  'session-1440-light.png': 'session-light.png',
  'panel-day-390-dark.png': 'phone-deck-dark.png',
  'session-390-light.png': 'phone-session-light.png',
};

const TESTS = ['test/scenarios/panel-page.test.ts', 'test/scenarios/session-page.test.ts'];
const WALKS = 'a box in the middle of its day|every kind of card';
const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'scenarios', ...TESTS, '-t', WALKS], { cwd: ROOT, stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);
for (const [from, to] of Object.entries(PICTURES)) copyFileSync(join(ROOT, '.cache/screenshots', from), join(ROOT, 'docs/images', to));

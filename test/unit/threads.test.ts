import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { THREADS } from '../../scripts/lib/threads.mjs';

const ROOT = resolve(import.meta.dirname, '../..');

test('the built server starts exactly the threads that the build creates', () => {
  const sources = ['src/package-info.ts', 'src/index/threads/records-thread.ts'].map((path) => readFileSync(resolve(ROOT, path), 'utf8'));
  const started = sources.flatMap((text) => [...text.matchAll(/'\.\/([\w-]+\.js)'/g)].map((match) => match[1]));
  expect(started.sort()).toEqual(THREADS.map(({ to }) => to).sort());
});

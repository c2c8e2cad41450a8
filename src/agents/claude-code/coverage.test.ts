import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { coveragePage } from './coverage.ts';
import { readRecordings } from './read-recordings.ts';

test('docs/coverage-claude-code.md is what the recordings say (run `npx tsx scripts/coverage-claude-code.ts`)', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/coverage-claude-code.md'), 'utf8');
  expect(page).toBe(coveragePage(readRecordings()));
});

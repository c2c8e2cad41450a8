import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRecordings } from '../../../test/support/claude-recordings.ts';
import { readRecords } from '../../../test/support/claude-records.ts';
import { coveragePage } from './coverage.ts';

test('docs/coverage-claude-code.md is what the recordings say (run `npx tsx scripts/coverage-claude-code.ts`)', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/coverage-claude-code.md'), 'utf8');
  expect(page).toBe(
    coveragePage(
      readRecordings(),
      readRecords().flatMap((record) => record.lines),
    ),
  );
});

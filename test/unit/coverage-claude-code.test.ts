import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { coveragePage } from '../../scripts/coverage/coverage.ts';
import { readRecordings } from '../support/agents/claude-recordings.ts';
import { readRecords } from '../support/agents/claude-records.ts';

test('docs/coverage-claude-code.md matches the recordings (run `npx tsx scripts/coverage/write-claude-code.ts`)', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/coverage-claude-code.md'), 'utf8');
  expect(page).toBe(
    coveragePage(
      readRecordings(),
      readRecords().flatMap((record) => record.lines),
    ),
  );
});

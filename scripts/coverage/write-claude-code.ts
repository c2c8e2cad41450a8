import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { coveragePage } from './coverage.ts';
import { readRecordings } from '../../test/support/agents/claude-recordings.ts';
import { readRecords } from '../../test/support/agents/claude-records.ts';

const docs = join(import.meta.dirname, '../../docs');
mkdirSync(docs, { recursive: true });
writeFileSync(
  join(docs, 'coverage-claude-code.md'),
  coveragePage(
    readRecordings(),
    readRecords().flatMap((record) => record.lines),
  ),
);

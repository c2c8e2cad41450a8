import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recording } from './replay.ts';

const FOLDER = join(import.meta.dirname, '../../../src/agents/claude-code/recordings');

/** Every recording by name: the CLI's version and the scenario. For tests and for the coverage page. */
export const readRecordings = (): readonly Recording[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.ndjson'))
    .sort()
    .map((file) => ({ name: file.slice(0, -'.ndjson'.length), lines: linesOf(readFileSync(join(FOLDER, file), 'utf8')) }));

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeCode } from '../../../src/agents/claude-code/index.ts';
import type { RecordContext, RecordKind } from '../../../src/agents/port/archive.ts';

/** Has the layout of the CLI's own record folder, with one project folder per scenario. */
const ROOT = join(import.meta.dirname, '../../../src/agents/claude-code/recordings/projects');

export interface RecordFile {
  readonly path: string;
  readonly kind: Extract<RecordKind, { kind: 'lines' }>;
  readonly lines: readonly string[];
  readonly context: RecordContext;
  /** Path of its golden file. */
  readonly golden: string;
}

/** Every recorded record, and every part of one. */
export const readRecords = (): readonly RecordFile[] =>
  readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .sort()
    .flatMap((path) => {
      const kind = claudeCode.archive?.recordOf(path);
      return kind?.kind === 'lines' ? [fileOf(path, kind)] : [];
    });

const fileOf = (path: string, kind: RecordFile['kind']): RecordFile => ({
  path,
  kind,
  lines: textOf(path)
    .split('\n')
    .filter((line) => line !== ''),
  context: kind.companion !== undefined && existsSync(join(ROOT, kind.companion)) ? { companion: textOf(kind.companion) } : {},
  golden: join(ROOT, path.replace('.jsonl', '.golden.json')),
});

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

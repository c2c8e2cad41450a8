import { initial } from '../../src/agents/claude-code/lines/state.ts';
import { kindOf, LINE_KINDS, nameOf, translate } from '../../src/agents/claude-code/translate.ts';
import { isObject } from '../../src/agents/formats/shape.ts';
import type { Recording } from '../../test/support/agents/replay.ts';
import { recordCoverage, toldText } from './coverage-records.ts';

interface Row {
  readonly note: string;
  lines: number;
  readonly told: Map<string, number>;
}

/** docs/coverage-claude-code.md: every kind of line, what becomes of it, and how often that was seen in the recordings. */
export function coveragePage(recordings: readonly Recording[], recordLines: readonly string[]): string {
  const rows = new Map(Object.entries(LINE_KINDS).map(([name, kind]) => [name, emptyRow(kind.note)]));
  for (const recording of recordings) countRecording(rows, recording);
  const seen = [...rows].filter(([name, row]) => row.lines > 0 || !name.endsWith('/*')).sort(([a], [b]) => a.localeCompare(b, 'en'));
  const versions = [...new Set(recordings.map(({ name }) => name.split('-', 1)[0]))].join(' and ');
  return [
    '# What becomes of each line of Claude Code',
    '',
    `Made from ${recordings.length} recordings (${versions}) by \`npx tsx scripts/coverage/write-claude-code.ts\`; do not edit. "Seen" counts lines, "told" what was read in them.`,
    'A line of any other kind becomes `unrecognised`, with its text.',
    '',
    '| Line (type/subtype) | Becomes | Seen | Told |',
    '|---|---|---|---|',
    ...seen.map(([name, row]) => `| \`${name}\` | ${row.note.replaceAll('|', '\\|')} | ${row.lines} | ${toldText(row.told)} |`),
    '',
    ...recordCoverage(recordLines),
  ].join('\n');
}

const emptyRow = (note: string): Row => ({ note, lines: 0, told: new Map() });

function countRecording(rows: Map<string, Row>, { lines }: Recording): void {
  let state = initial();
  for (const line of lines) {
    const step = translate(state, line);
    state = step.state;
    const row = rowOf(rows, rowName(line));
    row.lines += 1;
    for (const { type } of step.observations) row.told.set(type, (row.told.get(type) ?? 0) + 1);
  }
}

function rowOf(rows: Map<string, Row>, name: string): Row {
  const row = rows.get(name) ?? emptyRow(kindOf(name)?.note ?? '`unrecognised`');
  rows.set(name, row);
  return row;
}

/** Pieces of a block have a path of their own and so a row that no table lists. */
function rowName(line: string): string {
  const raw: unknown = JSON.parse(line);
  return isObject(raw) ? nameOf(raw) : 'not an object';
}

import { isObject } from '../../src/agents/formats/shape.ts';
import { archive } from '../../src/agents/claude-code/records/archive.ts';
import { readLine } from '../../src/agents/claude-code/records/entry.ts';
import { KNOWN_KINDS, SILENT_SYSTEM, SHOWN_SYSTEM } from '../../src/agents/claude-code/records/line-kinds.ts';

/** The part of docs/coverage-claude-code.md about the CLI's own records. */
export function recordCoverage(lines: readonly string[]): readonly string[] {
  const rows = new Map<string, Row>(knownNames().map((name) => [name, { lines: 0, told: new Map() }]));
  for (const line of lines) count(rows, line);
  return [
    '## Lines of its own records',
    '',
    `From ${lines.length} recorded lines. Every line with a \`uuid\` also has a place in the tree of the conversation, unless a subagent wrote it; assistant lines also tell what they cost.`,
    'A line of any other kind, and one of these of another shape, becomes `unrecognised`, with its text.',
    '',
    '| Line (type/subtype) | Seen | Told |',
    '|---|---|---|',
    ...[...rows].sort(([a], [b]) => a.localeCompare(b, 'en')).map(([name, row]) => `| \`${name}\` | ${row.lines} | ${toldText(row.told)} |`),
    '',
  ];
}

interface Row {
  lines: number;
  readonly told: Map<string, number>;
}

const knownNames = (): readonly string[] => [
  ...[...KNOWN_KINDS].filter((kind) => kind !== 'system' && kind !== 'attachment'),
  ...[...SILENT_SYSTEM, ...SHOWN_SYSTEM, 'api_error', 'compact_boundary', 'local_command'].map((subtype) => `system/${subtype}`),
];

function count(rows: Map<string, Row>, line: string): void {
  const name = nameOf(line);
  const row = rows.get(name) ?? { lines: 0, told: new Map() };
  rows.set(name, row);
  row.lines += 1;
  for (const { type } of archive.read(line, {}).observations) row.told.set(type, (row.told.get(type) ?? 0) + 1);
}

function nameOf(raw: string): string {
  const { line } = readLine(raw);
  const attachment = line?.fields.attachment;
  const subtype = isObject(attachment) ? attachment.type : line?.subtype;
  return typeof subtype === 'string' ? `${line?.type}/${subtype}` : (line?.type ?? 'not an object');
}

/** What was told, with how often. */
export const toldText = (told: ReadonlyMap<string, number>): string => [...told].map(([type, times]) => `${type} ×${times}`).join(', ') || '–';

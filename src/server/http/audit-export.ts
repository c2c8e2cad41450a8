import { Readable } from 'node:stream';
import type { Engine } from '../../engine/engine.ts';
import type { AuditEntry, AuditFilter } from '../../protocol/api/audit.ts';

/** Entries in memory at a time, however long the audit log is. */
const PAGE = 500;

export type ExportFormat = 'ndjson' | 'csv';

export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
};

/** All matching entries, newest first, read page by page as fast as the client takes them. */
export const auditStream = (engine: Engine, question: Omit<AuditFilter, 'limit'>, format: ExportFormat): Readable =>
  Readable.from(format === 'csv' ? csvOf(pagesOf(engine, question)) : ndjsonOf(pagesOf(engine, question)));

function* pagesOf(engine: Engine, question: Omit<AuditFilter, 'limit'>): Generator<readonly AuditEntry[]> {
  let { cursor } = question;
  for (;;) {
    const page = engine.audit({ ...question, cursor, limit: PAGE });
    if (page.length > 0) yield page;
    cursor = page.at(-1)?.id;
    if (page.length < PAGE) return;
  }
}

function* ndjsonOf(pages: Iterable<readonly AuditEntry[]>): Generator<string> {
  for (const page of pages) yield page.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}

const COLUMNS = ['id', 'at', 'actor', 'actorId', 'actorKind', 'from', 'action', 'sessionId', 'seq', 'requestId', 'commandId', 'words'];

function* csvOf(pages: Iterable<readonly AuditEntry[]>): Generator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for (const page of pages) yield page.map((entry) => `${cellsOf(entry).map(cell).join(',')}\r\n`).join('');
}

const cellsOf = ({ id, at, actor, action, sessionId, seq, requestId, commandId, words }: AuditEntry): readonly (string | number | undefined)[] => [
  id,
  at,
  actor.name,
  actor.id,
  actor.kind,
  actor.from,
  action,
  sessionId,
  seq,
  requestId,
  commandId,
  words,
];

/** Always quoted. A value that a spreadsheet would read as a formula gets a leading apostrophe. */
export function cell(value: string | number | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const harmless = /^\s*[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return `"${harmless.replaceAll('"', '""')}"`;
}

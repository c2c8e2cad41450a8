import type { AuditEntry, AuditFilter, AuditLine } from '../../protocol/api/audit.ts';
import { WORKSPACE } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { type Database, intOf, jsonOf, type Row, type SqlValue, type Statement } from '../sqlite-driver.ts';

export const prepareAudit = (db: Database): Statement =>
  db.prepare('INSERT OR IGNORE INTO audit (at, session, seq, action, actor_id, actor_name, request, words, line) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');

export function writeAudit(statement: Statement, line: AuditLine): void {
  const { at, sessionId, seq, action, actor, requestId } = line;
  // Lines without a session are numbered in the workspace stream.
  const stream = sessionId ?? (seq === undefined ? null : WORKSPACE);
  statement.run(at, stream, seq ?? null, action, actor.id, actor.name, requestId ?? null, line.words, JSON.stringify(line));
}

/** Marks one session as complete; needed only until all of them are. */
export const auditedMark = (session: SessionId): string => `audited:${session}`;

/** By time, not by number: lines for earlier events may have been added later. */
export function readAudit(prepare: (sql: string) => Statement, filter: AuditFilter): readonly AuditEntry[] {
  const conditions = conditionsOf(filter);
  const where = conditions.map(([sql]) => sql).join(' AND ') || 'TRUE';
  const values = conditions.flatMap(([, ...given]) => given);
  return prepare(`SELECT id, line FROM audit WHERE ${where} ORDER BY at DESC, id DESC LIMIT ?`)
    .all(...values, filter.limit)
    .map(toEntry);
}

export const auditOfSession = (db: Database, session: SessionId): readonly AuditLine[] =>
  db.prepare('SELECT line FROM audit WHERE session = ? ORDER BY at, id').all(session).map(toLine);

type Condition = readonly [sql: string, ...values: SqlValue[]];

function conditionsOf({ session, actor, action, request, after, before, q, cursor, seenBy }: AuditFilter): readonly Condition[] {
  const conditions: (Condition | undefined)[] = [
    session === undefined ? undefined : ['session = ?', session],
    actor === undefined ? undefined : ['(actor_id = ? OR actor_name = ?)', actor, actor],
    action === undefined ? undefined : ['action = ?', action],
    request === undefined ? undefined : ['request = ?', request],
    after === undefined ? undefined : ['at >= ?', after],
    before === undefined ? undefined : ['at < ?', before],
    q === undefined ? undefined : ['instr(lower(words), lower(?)) > 0', q],
    cursor === undefined ? undefined : ['(at, id) < (SELECT at, id FROM audit WHERE id = ?)', cursor],
    seenBy && ['(actor_id = ? OR session IN (SELECT value FROM json_each(?)))', seenBy.actorId, JSON.stringify(seenBy.sessions)],
  ];
  return conditions.filter((condition) => condition !== undefined);
}

// Lines were typed when they were stored; this only restores the type.
const toLine = (row: Row): AuditLine => jsonOf(row, 'line') as AuditLine;
const toEntry = (row: Row): AuditEntry => ({ id: intOf(row, 'id'), ...toLine(row) });

import type { AuditEntry, AuditFilter, AuditLine } from '../protocol/api/audit.ts';
import { WORKSPACE } from '../protocol/event.ts';

/** Whether an entry matches a filter, without SQL; `cursor` and `limit` are up to the caller. */
export function matchesAudit(entry: AuditEntry, { session, actor, action, request, after, before, q, seenBy }: AuditFilter): boolean {
  if (session !== undefined && entry.sessionId !== session) return false;
  if (actor !== undefined && entry.actor.id !== actor && entry.actor.name !== actor) return false;
  if (action !== undefined && entry.action !== action) return false;
  if (request !== undefined && entry.requestId !== request) return false;
  if (after !== undefined && entry.at < after) return false;
  if (before !== undefined && entry.at >= before) return false;
  if (q !== undefined && !entry.words.toLowerCase().includes(q.toLowerCase())) return false;
  if (seenBy === undefined || entry.actor.id === seenBy.actorId) return true;
  return entry.sessionId !== undefined && seenBy.sessions.includes(entry.sessionId);
}

export const newestFirst = (a: AuditEntry, b: AuditEntry): number => (a.at === b.at ? b.id - a.id : a.at < b.at ? 1 : -1);

/** The same event produces the same line; a line without an event is always separate. */
export const auditKey = ({ sessionId = WORKSPACE, seq, at, action }: AuditLine): string | undefined =>
  seq === undefined ? undefined : JSON.stringify([sessionId, seq, at, action]);

import { auditLine, auditState } from '../domain/audit/audit.ts';
import { unborn } from '../domain/session/state.ts';
import type { Journal } from '../journal/journal.ts';
import type { AuditLine } from '../protocol/audit.ts';
import { HOUSE } from '../protocol/event.ts';
import type { SessionId } from '../protocol/ids.ts';

const PAGE = 1000;

/**
 * Once, after an upgrade or a rebuild: makes the lines of the audit from the events that came before there was one.
 * A kill in between costs only the time: lines that are there are not added again.
 */
export function completeAudit(journal: Journal): void {
  if (journal.isAudited()) return;
  for (const session of [HOUSE, ...journal.sessions()]) completeSession(journal, session);
  journal.completeAudit([], true);
}

function completeSession(journal: Journal, session: SessionId): void {
  let state = unborn(session);
  for (;;) {
    const lines: AuditLine[] = [];
    const events = journal.after(session, state.seq, PAGE);
    for (const event of events) {
      lines.push(...auditLine(state, event));
      state = auditState(state, event);
    }
    journal.completeAudit(lines, false);
    if (events.length < PAGE) return;
  }
}

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { auditLine, auditState } from '../domain/audit/audit.ts';
import { newSessionState, type SessionState } from '../domain/session/state.ts';
import type { Journal } from '../journal/journal.ts';
import type { AuditLine } from '../protocol/api/audit.ts';
import { WORKSPACE } from '../protocol/event.ts';
import type { SessionId } from '../protocol/ids.ts';
import type { EngineDeps } from './deps.ts';

/** Events per slice before other work runs: a few milliseconds. */
const SLICE = 200;
/** Wait before a retry, for example after a full disk. */
const RETRY_MS = 60_000;

/**
 * Once, after an upgrade or a rebuild: makes the lines of the audit from the events that came before there was one.
 * It runs beside everything else, and goes on after a kill with the sessions that were not finished. Decisions that are made
 * meanwhile bring their own lines; a line that is there is not added again.
 */
export interface AuditCompletion {
  begin(): void;
  /** Resolves when nothing of this session is missing: before its events go. */
  finish(session: SessionId): Promise<void>;
  stop(): void;
}

const COMPLETE = 'complete the audit of earlier events';

export function createAuditCompletion({ journal, problems }: Pick<EngineDeps, 'journal' | 'problems'>): AuditCompletion {
  const stopping = new AbortController();
  let retry: NodeJS.Timeout | undefined;
  const begin = (): void => {
    completeAll(journal, stopping.signal).then(
      () => problems.worked(COMPLETE),
      (error: unknown) => {
        problems.failed(COMPLETE, error);
        if (!stopping.signal.aborted) retry = problems.after(COMPLETE, RETRY_MS, begin).unref();
      },
    );
  };
  return {
    begin,
    finish: (session) => completeSession(journal, session),
    stop: () => {
      stopping.abort();
      clearTimeout(retry);
    },
  };
}

async function completeAll(journal: Journal, stopping: AbortSignal): Promise<void> {
  if (journal.isAudited()) return;
  for (const session of [WORKSPACE, ...journal.sessions()]) {
    await completeSession(journal, session, stopping);
    if (stopping.aborted) return;
  }
  journal.completeAudit([], true);
}

async function completeSession(journal: Journal, session: SessionId, stopping?: AbortSignal): Promise<void> {
  let state = newSessionState(session);
  while (!journal.isAudited(session)) {
    await yieldToEventLoop();
    // The journal is closed right after a stop.
    if (stopping?.aborted) return;
    state = completeSlice(journal, state);
  }
}

function completeSlice(journal: Journal, before: SessionState): SessionState {
  const lines: AuditLine[] = [];
  let state = before;
  const events = journal.after(before.id, before.seq, SLICE);
  for (const event of events) {
    lines.push(...auditLine(state, event));
    state = auditState(state, event);
  }
  const isLast = events.length < SLICE;
  if (isLast || lines.length > 0) journal.completeAudit(lines, false, isLast ? before.id : undefined);
  return state;
}

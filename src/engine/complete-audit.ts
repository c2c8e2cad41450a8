import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { auditLine, auditState } from '../domain/audit/audit.ts';
import { newSessionState, type SessionState } from '../domain/session/state.ts';
import type { Journal } from '../journal/journal.ts';
import type { AuditLine } from '../protocol/api/audit.ts';
import type { SessionId } from '../protocol/ids.ts';
import type { EngineDeps } from './loop/engine-deps.ts';

/** Events per slice before other work runs: a few milliseconds. */
const SLICE = 200;
/** Wait before a retry, for example after a full disk. */
const RETRY_MS = 60_000;

/**
 * Runs once after an upgrade or a rebuild: adds audit lines for events that have none yet. It runs in the background and, after a kill,
 * continues with the unfinished sessions. Decisions made meanwhile add their own lines; an existing line is not added again.
 */
export interface AuditCompletion {
  start(): void;
  /** Resolves when no line of this session is missing. Called before its events are deleted. */
  finish(session: SessionId): Promise<void>;
  stop(): void;
}

const COMPLETE = 'complete the audit of earlier events';

export function createAuditCompletion({ journal, problems }: Pick<EngineDeps, 'journal' | 'problems'>): AuditCompletion {
  const stopping = new AbortController();
  let retry: NodeJS.Timeout | undefined;
  const start = (): void => {
    completeAll(journal, stopping.signal).then(
      () => problems.worked(COMPLETE),
      (error: unknown) => {
        problems.failed(COMPLETE, error);
        if (!stopping.signal.aborted) retry = problems.after(COMPLETE, RETRY_MS, start).unref();
      },
    );
  };
  return {
    start,
    finish: (session) => completeSession(journal, session),
    stop: () => {
      stopping.abort();
      clearTimeout(retry);
    },
  };
}

async function completeAll(journal: Journal, stopping: AbortSignal): Promise<void> {
  if (journal.isAudited()) return;
  for (const session of journal.streams()) {
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

import type { Session } from '../../src/protocol/session.ts';

export interface DeckSections {
  readonly waiting: readonly Session[];
  readonly running: readonly Session[];
  readonly recent: readonly Session[];
}

/** More than these are in the list of all sessions. */
const RECENT = 30;

/** What waits for a person first, longest wait on top; then what runs; then the latest of the rest. */
export function deckSections(sessions: Iterable<Session>): DeckSections {
  const shown = [...sessions].filter((session) => session.archived !== true);
  const isWaiting = (session: Session) => session.waiting > 0 || session.status === 'waiting';
  const isRunning = (session: Session) => !isWaiting(session) && (session.status === 'busy' || session.status === 'starting');
  return {
    waiting: shown.filter(isWaiting).sort((a, b) => a.updatedAt.localeCompare(b.updatedAt)),
    running: shown.filter(isRunning).sort((a, b) => b.createdAt.localeCompare(a.createdAt)),
    recent: shown
      .filter((session) => !isWaiting(session) && !isRunning(session))
      .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
      .slice(0, RECENT),
  };
}

/** Folders that had sessions, latest first, for choosing one again. */
export const recentFolders = (sessions: Iterable<Session>, limit: number): readonly string[] => {
  const latest = [...sessions].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  return [...new Set(latest.map((session) => session.cwd))].slice(0, limit);
};

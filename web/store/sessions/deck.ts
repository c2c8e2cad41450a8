import type { AgentDescription } from '../../../src/protocol/http.ts';
import type { Session } from '../../../src/protocol/session.ts';

export interface DeckSections {
  /** Running or waiting sessions, in the order of the panel. */
  readonly running: readonly Session[];
  readonly recent: readonly Session[];
}

/** The list of all sessions has the rest. */
const RECENT = 30;

export const isWaiting = (session: Session): boolean => session.waiting > 0 || session.status === 'waiting';
const isRunning = (session: Session): boolean => isWaiting(session) || session.status === 'busy' || session.status === 'starting';

export function deckSections(sessions: Iterable<Session>): DeckSections {
  const shown = [...sessions].filter((session) => session.archived !== true);
  return {
    running: inLineOrder(shown.filter(isRunning)),
    recent: shown
      .filter((session) => !isRunning(session))
      .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
      .slice(0, RECENT),
  };
}

/** Newest first, each fork below its parent: an order that activity doesn't change. */
export function inLineOrder(sessions: readonly Session[]): readonly Session[] {
  const sorted = [...sessions].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || a.id.localeCompare(b.id));
  const ids = new Set(sorted.map(({ id }) => id));
  const withForks = (session: Session): readonly Session[] => [session, ...sorted.filter(({ parent }) => parent?.sessionId === session.id).flatMap(withForks)];
  return sorted.filter(({ parent }) => parent === undefined || !ids.has(parent.sessionId)).flatMap(withForks);
}

/** The last used agent that can run; without one, the first that can. */
export function defaultAgent(sessions: Iterable<Session>, agents: readonly AgentDescription[]): string | undefined {
  const able = agents.filter(({ available }) => available).map(({ id }) => id);
  const latest = [...sessions].filter(({ agent }) => able.includes(agent)).sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))[0];
  return latest?.agent ?? able[0];
}

/** Folders with sessions, latest first. */
export const recentFolders = (sessions: Iterable<Session>, limit: number): readonly string[] => {
  const latest = [...sessions].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
  // The worktree of one session is not where the next one should work.
  return [...new Set(latest.map(({ cwd, worktree }) => worktree?.repo ?? cwd))].slice(0, limit);
};

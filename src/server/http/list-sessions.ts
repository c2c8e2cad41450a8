import type { Engine } from '../../engine/engine.ts';
import type { SessionQuery } from '../../protocol/http.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Session } from '../../protocol/session.ts';
import type { SessionLists, SessionPage } from './route.ts';

/** Lists from the engine's memory: complete as long as only live sessions are known. */
export const listsOver = (engine: Engine): SessionLists => ({ list: (query) => pageOf(engine.sessions(), query) });

/** Most recently used first. The cursor is the position where the next page starts, so it stays valid when sessions are added. */
function pageOf(sessions: readonly Session[], query: SessionQuery): SessionPage {
  const sorted = sessions.filter((session) => matches(session, query)).sort(byNewest);
  const start = query.cursor === undefined ? 0 : sorted.findIndex((session) => positionOf(session) < (query.cursor ?? ''));
  const limit = query.limit ?? LIMITS.pageDefault;
  const page = start === -1 ? [] : sorted.slice(start, start + limit);
  const last = page.at(-1);
  return last === undefined || start + limit >= sorted.length ? { sessions: page } : { sessions: page, nextCursor: positionOf(last) };
}

const positionOf = (session: Session): string => `${session.updatedAt}_${session.id}`;
const byNewest = (a: Session, b: Session): number => (positionOf(a) < positionOf(b) ? 1 : -1);

function matches(session: Session, { status, agent, project, tag, q }: SessionQuery): boolean {
  if (status !== undefined && !status.split(',').includes(session.status)) return false;
  if (agent !== undefined && !agent.split(',').includes(session.agent)) return false;
  if (project !== undefined && session.projectId !== project && session.project !== project) return false;
  if (tag !== undefined && ![...session.tags, ...(session.messageTags ?? [])].includes(tag)) return false;
  const words = `${session.title} ${session.cwd} ${session.lastLine ?? ''}`.toLowerCase();
  return (
    q === undefined ||
    q
      .toLowerCase()
      .split(/\s+/)
      .every((word) => words.includes(word))
  );
}

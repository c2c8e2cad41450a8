import type { PastSession } from '../../archive/archive.ts';
import { projectIdOf } from '../../engine/loop/summary.ts';
import { summaryOfPast } from '../past-summary.ts';
import type { LibrarySession } from '../store/index-store.ts';

/** What the library knows of a past session beside its events. */
export function forLibrary(session: PastSession): LibrarySession {
  const { id, agent, title, cwd = '', createdAt, parent } = session;
  return {
    id,
    agent,
    title,
    ...(parent !== undefined && { parent: parent.sessionId }),
    project: summaryOfPast(session, NO_MACHINE, undefined).project,
    projectId: projectIdOf(cwd),
    createdAt,
  };
}

const NO_MACHINE = { node: '', hostname: '', platform: '' };

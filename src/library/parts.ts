import { join } from 'node:path';
import type { ArchivedAgent } from '../archive/sweeper.ts';
import type { SessionId } from '../protocol/ids.ts';
import { healthPart } from '../views/library/health-part.ts';
import type { LibraryParts } from '../views/library/open-library.ts';
import { usagePart } from '../views/library/usage-part.ts';

export const libraryPath = (dataDir: string): string => join(dataDir, 'library.db');

/** The past sessions that other programs hold now, as the main thread last told it. */
export class HeldSessions {
  #held: ReadonlySet<SessionId> = new Set();

  set(sessions: readonly SessionId[]): void {
    this.#held = new Set(sessions);
  }

  has(session: SessionId): boolean {
    return this.#held.has(session);
  }
}

/** What the library knows beside words; prices and windows of models are the agents' to tell. */
export function libraryParts(agents: readonly ArchivedAgent[], held: HeldSessions): LibraryParts {
  const archiveOf = (agent: string) => agents.find(({ id }) => id === agent)?.archive;
  return {
    usage: usagePart((agent, model) => archiveOf(agent)?.price?.(model)),
    health: healthPart({
      now: () => Date.now(),
      isHeld: (session) => held.has(session),
      windowOf: (agent, model) => archiveOf(agent)?.window?.(model),
    }),
  };
}

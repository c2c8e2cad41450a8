import { join } from 'node:path';
import type { ArchivedAgent } from '../../archive/sweeper.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { healthPart } from '../health/health-part.ts';
import type { LibraryParts } from '../store/open-index.ts';
import { usagePart } from '../usage/usage-part.ts';

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

/** Long texts, of which events carry the heads: of sessions of ours, and of records. */
export function textOfBlob(...sources: readonly { blob(sha256: string): Uint8Array | undefined }[]): (sha256: string) => string | undefined {
  return (sha256) => {
    for (const source of sources) {
      const bytes = source.blob(sha256);
      if (bytes !== undefined) return Buffer.from(bytes).toString('utf8');
    }
    return undefined;
  };
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

import { join } from 'node:path';
import type { ArchivedAgent } from '../../archive/sweeper.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { healthPart } from '../health/health-part.ts';
import { usagePart } from '../usage/usage-part.ts';
import type { IndexParts } from './open-index.ts';

export const indexPath = (dataDir: string): string => join(dataDir, 'library.db');

/** The past sessions that other programs have open, as the main thread last reported. */
export class SessionsOpenElsewhere {
  #openElsewhere: ReadonlySet<SessionId> = new Set();

  set(sessions: readonly SessionId[]): void {
    this.#openElsewhere = new Set(sessions);
  }

  has(session: SessionId): boolean {
    return this.#openElsewhere.has(session);
  }
}

/** Loads long texts from the journal or from records; events carry only their start. */
export function textOfBlob(...sources: readonly { blob(sha256: string): Uint8Array | undefined }[]): (sha256: string) => string | undefined {
  return (sha256) => {
    for (const source of sources) {
      const bytes = source.blob(sha256);
      if (bytes !== undefined) return Buffer.from(bytes).toString('utf8');
    }
    return undefined;
  };
}

/** The parts of the index besides search; agents know the prices and context windows of their models. */
export function indexParts(agents: readonly ArchivedAgent[], openElsewhere: SessionsOpenElsewhere): IndexParts {
  const archiveOf = (agent: string) => agents.find(({ id }) => id === agent)?.archive;
  return {
    usage: usagePart((agent, model) => archiveOf(agent)?.price?.(model)),
    health: healthPart({
      now: () => Date.now(),
      isOpenElsewhere: (session) => openElsewhere.has(session),
      windowOf: (agent, model) => archiveOf(agent)?.window?.(model),
    }),
  };
}

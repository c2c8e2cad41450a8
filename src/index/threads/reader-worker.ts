import type { ArchiveReader } from '../../archive/archive.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { LibraryReader } from '../store/index-store.ts';
import { type HeldSessions, textOfBlob } from './index-parts.ts';
import type { ReadingQuestion } from './messages.ts';

export interface ReadingParts {
  readonly archive: ArchiveReader;
  readonly library: LibraryReader;
  readonly journal: Pick<Journal, 'after' | 'blob'>;
  readonly held: HeldSessions;
}

/** Answers about past sessions, hits, usage and health: nothing here writes. */
export class ReadingDesk {
  readonly #parts: ReadingParts;

  constructor(parts: ReadingParts) {
    this.#parts = parts;
  }

  answer(question: ReadingQuestion): unknown {
    const { archive, library } = this.#parts;
    switch (question.ask) {
      case 'events':
        return archive.events(question.sessionId, question.page);
      case 'raw':
        return archive.raw(question.sessionId, question.page);
      case 'batch':
        return archive.batch(question.sessionId, question.after, question.limit).events;
      case 'lines':
        return archive.lines(question.agent, question.agentSessionId, question.from, question.limit);
      case 'session':
        return archive.session(question.sessionId);
      case 'branches':
        return archive.branches(question.sessionId);
      case 'blob':
        return archive.blob(question.sha256);
      case 'search': {
        const hidden = new Set(question.hidden);
        return library.search(question.query, {
          event: (session, seq) => this.#event(session, seq),
          blob: textOfBlob(this.#parts.journal, archive),
          isHidden: (session) => hidden.has(session),
        });
      }
      case 'usage':
        return library.usage(question.query, question.hidden);
      case 'health':
        return library.health(question.sessionId);
      case 'held':
        return this.#parts.held.set(question.sessions);
      case 'close':
        archive.close();
        return library.close();
    }
  }

  /** What a hit says stands in the journal, or in a record. */
  #event(session: SessionId, seq: number): Event | undefined {
    const { journal, archive } = this.#parts;
    const [own] = journal.after(session, seq - 1, 1);
    if (own?.seq === seq) return own;
    return archive.event(session, seq);
  }
}

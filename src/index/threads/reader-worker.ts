import type { ArchiveReader } from '../../archive/archive.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { IndexReader } from '../store/index-store.ts';
import { type SessionsOpenElsewhere, textOfBlob } from './index-parts.ts';
import type { ReaderQuestion } from './messages.ts';

export interface ReaderParts {
  readonly archive: ArchiveReader;
  readonly sessionIndex: IndexReader;
  readonly journal: Pick<Journal, 'after' | 'blob'>;
  readonly openElsewhere: SessionsOpenElsewhere;
}

/** Answers questions about past sessions, hits, usage and health; never writes. */
export class ReaderWorker {
  readonly #parts: ReaderParts;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
  }

  answer(question: ReaderQuestion): unknown {
    const { archive, sessionIndex } = this.#parts;
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
        return sessionIndex.search(question.query, {
          event: (session, seq) => this.#event(session, seq),
          blob: textOfBlob(this.#parts.journal, archive),
          isHidden: (session) => hidden.has(session),
        });
      }
      case 'usage':
        return sessionIndex.usage(question.query, question.hidden);
      case 'health':
        return sessionIndex.health(question.sessionId);
      case 'openElsewhere':
        return this.#parts.openElsewhere.set(question.sessions);
      case 'close':
        archive.close();
        return sessionIndex.close();
    }
  }

  /** The event of a hit is in the journal, or in a record. */
  #event(session: SessionId, seq: number): Event | undefined {
    const { journal, archive } = this.#parts;
    const [own] = journal.after(session, seq - 1, 1);
    if (own?.seq === seq) return own;
    return archive.event(session, seq);
  }
}

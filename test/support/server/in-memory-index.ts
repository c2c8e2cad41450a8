import { EMPTY_INDEX, type IndexNews, type SessionIndex } from '../../../src/index/session-index.ts';
import type { Event } from '../../../src/protocol/event.ts';
import type { SessionId } from '../../../src/protocol/ids.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { sessionAt } from '../index/session-samples.ts';

/** Past sessions in memory, for tests of HTTP and sockets. */
export class InMemoryIndex {
  readonly sessionIndex: SessionIndex;
  readonly #sessions = new Map<SessionId, { session: Session; events: Event[] }>();
  readonly #listeners = new Set<(news: IndexNews) => void>();
  /** How many times each session is followed now. */
  readonly followed = new Map<SessionId, number>();
  /** Called while events are read, to make something happen in the meantime. */
  whileReading: () => void = () => undefined;

  constructor() {
    this.sessionIndex = {
      ...EMPTY_INDEX,
      session: async (id) => this.#sessions.get(id)?.session,
      events: async (id, page) => {
        const events = pageOf(this.#sessions.get(id)?.events ?? [], page);
        this.whileReading();
        return events;
      },
      follow: async (id) => {
        this.followed.set(id, (this.followed.get(id) ?? 0) + 1);
        return () => this.followed.set(id, (this.followed.get(id) ?? 0) - 1);
      },
      watch: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
  }

  put(id: SessionId, texts: readonly string[], fields: Partial<Session> = {}): void {
    const events = texts.map((text, index) => messageEvent(index + 1, text));
    const past = { lastSeq: events.length, bytes: 1, branches: 1, kept: false, gone: false, read: true };
    this.#sessions.set(id, {
      session: sessionAt(id, 1, { control: 'none', status: 'ended', lastSeq: events.length, agentSessionId: `of-${id}`, past, ...fields }),
      events,
    });
  }

  /** Appends to the session's record. */
  grow(id: SessionId, text: string, more: { readonly turned?: boolean } = {}): void {
    const known = this.#sessions.get(id);
    if (known === undefined) return;
    const event = messageEvent(known.events.length + 1, text);
    known.events.push(event);
    known.session = { ...known.session, lastSeq: event.seq };
    this.tell({ kind: 'events', sessionId: id, events: [event], ...more });
  }

  tell(news: IndexNews): void {
    for (const listener of this.#listeners) listener(news);
  }
}

const messageEvent = (seq: number, text: string): Event => ({ seq, at: '2026-01-01T00:00:00.000Z', type: 'user.message', text, origin: 'elsewhere' });

function pageOf(
  events: readonly Event[],
  { after, before, limit }: { readonly after?: number; readonly before?: number; readonly limit: number },
): readonly Event[] {
  if (after !== undefined) return events.filter(({ seq }) => seq > after).slice(0, limit);
  return events.filter(({ seq }) => seq < (before ?? Number.POSITIVE_INFINITY)).slice(-limit);
}

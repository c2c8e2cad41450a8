import type { SessionId } from '../protocol/ids.ts';
import type { Log } from './deps.ts';
import type { News } from './engine.ts';

export type Listener = (news: News) => void;

/** Who wants to hear of what. A listener that throws is its own problem and nobody else's. */
export class Subscribers {
  private readonly bySession = new Map<SessionId | '*', Set<Listener>>();

  constructor(private readonly log: Log) {}

  add(session: SessionId | '*', listener: Listener): () => void {
    const listeners = this.bySession.get(session) ?? new Set();
    this.bySession.set(session, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.bySession.delete(session);
    };
  }

  has(session: SessionId): boolean {
    return this.bySession.has(session);
  }

  /** To those who follow this session, and to those who follow all of them. */
  tell(session: SessionId, news: News): void {
    this.call(this.bySession.get(session), news);
    this.call(this.bySession.get('*'), news);
  }

  /** To those who follow all of them only. */
  tellAll(news: News): void {
    this.call(this.bySession.get('*'), news);
  }

  private call(listeners: ReadonlySet<Listener> | undefined, news: News): void {
    if (listeners === undefined) return;
    for (const listener of [...listeners]) {
      try {
        listener(news);
      } catch (error) {
        this.log.error({ error }, 'a subscriber failed');
      }
    }
  }
}

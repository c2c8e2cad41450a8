import type { Log } from '../problems/log.ts';
import type { SessionId } from '../protocol/ids.ts';
import type { News } from './engine.ts';

export type Listener = (news: News) => void;

/** Who follows which session. A listener that throws doesn't affect the others. */
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

  /** To subscribers of this session and subscribers of all sessions. */
  publish(session: SessionId, news: News): void {
    this.call(this.bySession.get(session), news);
    this.call(this.bySession.get('*'), news);
  }

  /** Only to subscribers of all sessions. */
  publishToAll(news: News): void {
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

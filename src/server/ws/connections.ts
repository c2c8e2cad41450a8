import type { Engine } from '../../engine/engine.ts';
import type { Library } from '../../index/session-index.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { mayReach } from '../auth/access.ts';
import type { Client } from './client.ts';
import { type Subscription, tellToResubscribe } from './subscription.ts';

/** Who is here and who looks at what. */
export interface Hall {
  readonly engine: Engine;
  readonly library: Library;
  readonly clients: Set<Client>;
  readonly watchers: Map<SessionId, Watch>;
  readonly owners: WeakMap<Subscription, Client>;
  /** Sessions that are closed to some, as they last were: their end is told only to those who could see them. */
  readonly closed: Map<SessionId, Session>;
  /** Sessions of which lists were told, or could have been: only from these can one be taken away. */
  readonly known: Set<SessionId>;
  /** Past sessions that somebody looks at, and how many do. */
  readonly followed: Map<SessionId, { count: number; readonly stop: Promise<() => void> }>;
  framesSent: number;
  heldBack: number;
}

/** A session that somebody looks at: the engine is asked for it once, however many do. */
export interface Watch {
  readonly subscriptions: Set<Subscription>;
  readonly stop: () => void;
}

export function unsubscribe(hall: Hall, client: Client, sessionId: SessionId) {
  const subscription = client.subscriptions.get(sessionId);
  if (subscription === undefined) return;
  client.subscriptions.delete(sessionId);
  client.behind.delete(subscription);
  const watch = hall.watchers.get(sessionId);
  watch?.subscriptions.delete(subscription);
  if (watch?.subscriptions.size !== 0) return;
  watch.stop();
  hall.watchers.delete(sessionId);
}

/** A session that is closed to a client has never been there for it. */
export function maySee(hall: Hall, client: Client, sessionId: SessionId): boolean {
  const closed = hall.closed.get(sessionId);
  return closed === undefined || mayReach(closed, client.identity);
}

/** The client is told to subscribe again: once it has taken what waits for it, or at once when nothing much does. */
export function fellBehind(hall: Hall, subscription: Subscription) {
  hall.heldBack += 1;
  if (!subscription.pipe.willDrain()) return tellToResubscribe(subscription);
  hall.owners.get(subscription)?.behind.add(subscription);
}

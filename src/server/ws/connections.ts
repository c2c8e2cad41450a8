import type { Engine } from '../../engine/engine.ts';
import type { SessionIndex } from '../../index/session-index.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { mayReach } from '../auth/access.ts';
import type { Remote } from '../remote/remote.ts';
import type { SeenSessions } from '../shared/seen-sessions.ts';
import type { Client } from './client.ts';
import { type Subscription, sendResubscribe } from './subscription.ts';
import type { Waiting } from './waiting.ts';

/** All open sockets and what each one watches. */
export interface Connections {
  readonly engine: Engine;
  readonly sessionIndex: SessionIndex;
  readonly seen: SeenSessions;
  readonly clients: Set<Client>;
  readonly watchers: Map<SessionId, Watch>;
  readonly owners: WeakMap<Subscription, Client>;
  /** Private sessions as they last were: when one is removed, only clients that could see it are notified. */
  readonly closed: Map<SessionId, Session>;
  /** Sessions that lists have shown or could have shown. Only these can be removed from a list. */
  readonly known: Set<SessionId>;
  readonly waiting: Waiting;
  /** Sessions of other machines, if there are any. */
  readonly remote: Remote | undefined;
  /** Past sessions that somebody watches, and how many do. */
  readonly followed: Map<SessionId, { count: number; readonly stop: Promise<() => void> }>;
  framesSent: number;
  heldBack: number;
}

/** A watched session. The engine is watched once per session, however many clients there are. */
export interface Watch {
  readonly subscriptions: Set<Subscription>;
  readonly stop: () => void;
}

export function unsubscribe(connections: Connections, client: Client, sessionId: SessionId) {
  const subscription = client.subscriptions.get(sessionId);
  if (subscription === undefined) return;
  client.subscriptions.delete(sessionId);
  client.behind.delete(subscription);
  const watch = connections.watchers.get(sessionId);
  watch?.subscriptions.delete(subscription);
  if (watch?.subscriptions.size !== 0) return;
  watch.stop();
  connections.watchers.delete(sessionId);
}

/** For a client that can't see a private session, the session doesn't exist. */
export function maySee(connections: Connections, client: Client, sessionId: SessionId): boolean {
  const closed = connections.closed.get(sessionId);
  return closed === undefined || mayReach(closed, client.identity);
}

/** Asks the client to subscribe again: once its queue is drained, or now if the queue is nearly empty. */
export function markBehind(connections: Connections, subscription: Subscription) {
  connections.heldBack += 1;
  if (!subscription.writer.willDrain()) return sendResubscribe(subscription);
  connections.owners.get(subscription)?.behind.add(subscription);
}

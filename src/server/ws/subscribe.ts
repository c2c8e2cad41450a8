import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { spread } from './broadcast.ts';
import type { Client } from './client.ts';
import { fellBehind, type Hall, unsubscribe, type Watch } from './connections.ts';
import { snapshotOf } from './snapshot.ts';
import { DELTA_BOUND_BYTES } from './socket-writer.ts';
import type { Subscription } from './subscription.ts';

export function subscribe(hall: Hall, client: Client, sessionId: SessionId, after: number | undefined): boolean {
  const session = client.engine.session(sessionId);
  if (session === undefined) return false;
  giveSnapshot(hall, takeSeat(hall, client, sessionId), session, after);
  return true;
}

export function takeSeat(hall: Hall, client: Client, sessionId: SessionId): Subscription {
  unsubscribe(hall, client, sessionId);
  const subscription: Subscription = { sessionId, pipe: client.pipe, state: 'live', lastSeq: 0 };
  hall.owners.set(subscription, client);
  client.subscriptions.set(sessionId, subscription);
  watchFor(hall, sessionId).subscriptions.add(subscription);
  return subscription;
}

/** Watched before anything is read: what happens in between comes twice at worst, and the subscription sees that. */
function watchFor(hall: Hall, sessionId: SessionId): Watch {
  const known = hall.watchers.get(sessionId);
  if (known !== undefined) return known;
  const subscriptions = new Set<Subscription>();
  const watch = { subscriptions, stop: hall.engine.watch(sessionId, (news) => spread(hall, subscriptions, news)) };
  hall.watchers.set(sessionId, watch);
  return watch;
}

/** A client that is still full gets no snapshot on top: it is told to ask again when it has caught up. */
function giveSnapshot(hall: Hall, subscription: Subscription, session: Session, after: number | undefined) {
  if (subscription.pipe.queuedBytes() > DELTA_BOUND_BYTES) {
    subscription.state = 'held';
    return fellBehind(hall, subscription);
  }
  const snapshot = snapshotOf(hall.engine, session, after);
  subscription.lastSeq = snapshot.seq;
  subscription.pipe.write(snapshot.frame);
  hall.framesSent += 1;
}

export function leave(hall: Hall, client: Client) {
  for (const sessionId of [...client.subscriptions.keys()]) unsubscribe(hall, client, sessionId);
  hall.clients.delete(client);
}

import { withUnread } from '../../domain/recap/unread.ts';
import type { PlanState } from '../../protocol/api/plan.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { planOfStream } from '../../protocol/plan.ts';
import type { Session } from '../../protocol/session.ts';
import { broadcast } from './broadcast.ts';
import type { Client } from './client.ts';
import { type Connections, markBehind, unsubscribe, type Watch } from './connections.ts';
import { snapshotOf } from './snapshot.ts';
import { DELTA_BOUND_BYTES } from './socket-writer.ts';
import type { Subscription } from './subscription.ts';
import { wireFrame } from './wire-frame.ts';

export function subscribe(connections: Connections, client: Client, sessionId: SessionId, after: number | undefined): boolean {
  const planId = planOfStream(sessionId);
  const plan = planId === undefined ? undefined : client.engine.planState(planId);
  if (plan !== undefined) return sendPlan(connections, openSubscription(connections, client, sessionId), plan);
  const session = client.engine.session(sessionId);
  if (session === undefined) return false;
  const shown = withUnread(session, connections.seen.of(client.identity.id));
  sendSnapshot(connections, openSubscription(connections, client, sessionId), shown, after);
  return true;
}

export function openSubscription(connections: Connections, client: Client, sessionId: SessionId): Subscription {
  unsubscribe(connections, client, sessionId);
  const subscription: Subscription = { sessionId, writer: client.writer, state: 'live', lastSeq: 0 };
  connections.owners.set(subscription, client);
  client.subscriptions.set(sessionId, subscription);
  watchFor(connections, sessionId).subscriptions.add(subscription);
  return subscription;
}

/** Starts watching before anything is read: an event in between comes twice at worst, and the subscription skips the second. */
function watchFor(connections: Connections, sessionId: SessionId): Watch {
  const known = connections.watchers.get(sessionId);
  if (known !== undefined) return known;
  const subscriptions = new Set<Subscription>();
  const watch = { subscriptions, stop: connections.engine.watch(sessionId, (news) => broadcast(connections, subscriptions, news)) };
  connections.watchers.set(sessionId, watch);
  return watch;
}

/** A plan is small, so a client always gets all of it. */
function sendPlan(connections: Connections, subscription: Subscription, plan: PlanState): true {
  subscription.lastSeq = plan.seq;
  subscription.writer.write(wireFrame({ type: 'plan', sessionId: subscription.sessionId, plan, seq: plan.seq }));
  connections.framesSent += 1;
  return true;
}

/** A client that is still full gets no snapshot on top; it is asked to subscribe again once it has caught up. */
function sendSnapshot(connections: Connections, subscription: Subscription, session: Session, after: number | undefined) {
  if (subscription.writer.queuedBytes() > DELTA_BOUND_BYTES) {
    subscription.state = 'paused';
    return markBehind(connections, subscription);
  }
  const snapshot = snapshotOf(connections.engine, session, after);
  subscription.lastSeq = snapshot.seq;
  subscription.writer.write(snapshot.frame);
  connections.framesSent += 1;
}

export function leave(connections: Connections, client: Client) {
  for (const sessionId of [...client.subscriptions.keys()]) unsubscribe(connections, client, sessionId);
  connections.clients.delete(client);
}

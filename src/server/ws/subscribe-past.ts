import type { IndexNews } from '../../index/session-index.ts';
import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { broadcast, postRemoved, postStatus } from './broadcast.ts';
import { type Client, postToList } from './client.ts';
import { type Connections, markBehind } from './connections.ts';
import { pastSnapshot, WINDOW_EVENTS } from './snapshot.ts';
import { openSubscription, subscribe } from './subscribe.ts';
import { sendEvents } from './subscription.ts';
import { eventFrame, wireFrame } from './wire-frame.ts';

/** Subscribes a client to a session that exists only in an agent's own record. Events read while the window is loading are not missed. */
export async function subscribeToPast(connections: Connections, client: Client, sessionId: SessionId, after: number | undefined): Promise<boolean> {
  const late: Event[] = [];
  const stop = connections.sessionIndex.watch((news) => {
    if (news.kind === 'events' && news.sessionId === sessionId) late.push(...news.events);
  });
  const unfollow = await follow(connections, sessionId);
  try {
    const session = await client.sessionIndex.session(sessionId);
    // Somebody may have adopted it in the meantime.
    if (session === undefined || client.engine.session(sessionId) !== undefined) {
      unfollow();
      return subscribe(connections, client, sessionId, after);
    }
    const events = await client.sessionIndex.events(sessionId, { before: session.lastSeq + 1, limit: WINDOW_EVENTS });
    if (client.engine.session(sessionId) !== undefined) {
      unfollow();
      return subscribe(connections, client, sessionId, after);
    }
    deliver(connections, client, { session, events, late, unfollow });
    return true;
  } catch (error) {
    unfollow();
    throw error;
  } finally {
    stop();
  }
}

/** A record is followed once, however many clients watch it. */
async function follow(connections: Connections, sessionId: SessionId): Promise<() => void> {
  const known = connections.followed.get(sessionId) ?? { count: 0, stop: connections.sessionIndex.follow(sessionId) };
  connections.followed.set(sessionId, known);
  known.count += 1;
  await known.stop;
  let isOff = false;
  return () => {
    if (isOff) return;
    isOff = true;
    known.count -= 1;
    if (known.count > 0) return;
    connections.followed.delete(sessionId);
    void known.stop.then((stop) => stop());
  };
}

interface PastWindow {
  readonly session: Session;
  readonly events: readonly Event[];
  readonly late: readonly Event[];
  readonly unfollow: () => void;
}

function deliver(connections: Connections, client: Client, { session, events, late, unfollow }: PastWindow): void {
  if (!connections.clients.has(client)) return unfollow();
  const subscription = openSubscription(connections, client, session.id);
  stopWhenUnwatched(connections, session.id, unfollow);
  const snapshot = pastSnapshot(session, events);
  subscription.lastSeq = snapshot.seq;
  subscription.writer.write(snapshot.frame);
  connections.framesSent += 1;
  const frames = late.map((event) => eventFrame(session.id, event));
  if (!sendEvents(subscription, late, frames)) markBehind(connections, subscription);
}

/** Follows the record as long as somebody watches. */
function stopWhenUnwatched(connections: Connections, sessionId: SessionId, unfollow: () => void): void {
  const watch = connections.watchers.get(sessionId);
  if (watch === undefined) return unfollow();
  connections.watchers.set(sessionId, {
    ...watch,
    stop: () => {
      unfollow();
      watch.stop();
    },
  });
}

/** Sends news of past sessions to the clients that watch them and to list subscribers. */
export function broadcastPast(connections: Connections, news: IndexNews): void {
  switch (news.kind) {
    case 'events':
      return broadcastPastEvents(connections, news);
    case 'session':
      return postStatus(connections, news.session);
    case 'removed':
      return connections.engine.session(news.sessionId) === undefined ? postRemoved(connections, news.sessionId) : undefined;
    case 'progress':
      return postProgress(connections, news);
  }
}

function broadcastPastEvents(connections: Connections, news: Extract<IndexNews, { kind: 'events' }>): void {
  const watching = connections.watchers.get(news.sessionId)?.subscriptions ?? new Set();
  if (news.turned !== true) return broadcast(connections, watching, { kind: 'events', sessionId: news.sessionId, events: news.events });
  for (const subscription of watching) {
    subscription.state = 'paused';
    markBehind(connections, subscription);
  }
}

function postProgress(connections: Connections, { progress }: Extract<IndexNews, { kind: 'progress' }>): void {
  const frame = wireFrame({ type: 'index', ...progress });
  for (const client of connections.clients) postToList(client, frame);
}

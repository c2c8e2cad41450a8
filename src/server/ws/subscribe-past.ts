import type { LibraryNews } from '../../index/session-index.ts';
import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { postStatus, postTaken, postToList, spread } from './broadcast.ts';
import type { Client } from './client.ts';
import { fellBehind, type Hall } from './connections.ts';
import { pastSnapshot, WINDOW_EVENTS } from './snapshot.ts';
import { subscribe, takeSeat } from './subscribe.ts';
import { giveEvents } from './subscription.ts';
import { eventFrame, wireFrame } from './wire-frame.ts';

/** Somebody looks at a session that only an agent's own record tells of. What is read while the window is fetched is not missed. */
export async function subscribeToPast(hall: Hall, client: Client, sessionId: SessionId, after: number | undefined): Promise<boolean> {
  const late: Event[] = [];
  const stop = hall.library.watch((news) => {
    if (news.kind === 'events' && news.sessionId === sessionId) late.push(...news.events);
  });
  const unfollow = await follow(hall, sessionId);
  try {
    const session = await client.library.session(sessionId);
    // Somebody may have taken it up meanwhile.
    if (session === undefined || client.engine.session(sessionId) !== undefined) {
      unfollow();
      return subscribe(hall, client, sessionId, after);
    }
    const events = await client.library.events(sessionId, { before: session.lastSeq + 1, limit: WINDOW_EVENTS });
    if (client.engine.session(sessionId) !== undefined) {
      unfollow();
      return subscribe(hall, client, sessionId, after);
    }
    give(hall, client, { session, events, late, unfollow });
    return true;
  } catch (error) {
    unfollow();
    throw error;
  } finally {
    stop();
  }
}

/** However many look at it, a record is followed once. */
async function follow(hall: Hall, sessionId: SessionId): Promise<() => void> {
  const known = hall.followed.get(sessionId) ?? { count: 0, stop: hall.library.follow(sessionId) };
  hall.followed.set(sessionId, known);
  known.count += 1;
  await known.stop;
  let isOff = false;
  return () => {
    if (isOff) return;
    isOff = true;
    known.count -= 1;
    if (known.count > 0) return;
    hall.followed.delete(sessionId);
    void known.stop.then((stop) => stop());
  };
}

interface Window {
  readonly session: Session;
  readonly events: readonly Event[];
  readonly late: readonly Event[];
  readonly unfollow: () => void;
}

function give(hall: Hall, client: Client, { session, events, late, unfollow }: Window): void {
  if (!hall.clients.has(client)) return unfollow();
  const subscription = takeSeat(hall, client, session.id);
  whenEmpty(hall, session.id, unfollow);
  const snapshot = pastSnapshot(session, events);
  subscription.lastSeq = snapshot.seq;
  subscription.pipe.write(snapshot.frame);
  hall.framesSent += 1;
  const frames = late.map((event) => eventFrame(session.id, event));
  if (!giveEvents(subscription, late, frames)) fellBehind(hall, subscription);
}

/** The record is followed for as long as anybody looks. */
function whenEmpty(hall: Hall, sessionId: SessionId, unfollow: () => void): void {
  const watch = hall.watchers.get(sessionId);
  if (watch === undefined) return unfollow();
  hall.watchers.set(sessionId, {
    ...watch,
    stop: () => {
      unfollow();
      watch.stop();
    },
  });
}

/** What happens to past sessions, to those who look at them and to lists. */
export function tellOfPast(hall: Hall, news: LibraryNews): void {
  switch (news.kind) {
    case 'events':
      return tellEvents(hall, news);
    case 'session':
      return postStatus(hall, news.session);
    case 'removed':
      return hall.engine.session(news.sessionId) === undefined ? postTaken(hall, news.sessionId) : undefined;
    case 'progress':
      return postProgress(hall, news);
  }
}

function tellEvents(hall: Hall, news: Extract<LibraryNews, { kind: 'events' }>): void {
  const watching = hall.watchers.get(news.sessionId)?.subscriptions ?? new Set();
  if (news.turned !== true) return spread(hall, watching, { kind: 'events', sessionId: news.sessionId, events: news.events });
  for (const subscription of watching) {
    subscription.state = 'held';
    fellBehind(hall, subscription);
  }
}

function postProgress(hall: Hall, { progress }: Extract<LibraryNews, { kind: 'progress' }>): void {
  const frame = wireFrame({ type: 'index', ...progress });
  for (const client of hall.clients) postToList(client, frame);
}

import type { News } from '../../engine/engine.ts';
import type { Move } from '../../protocol/api/panel.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { mayReach, seesRecord } from '../auth/access.ts';
import { type Client, tell } from './client.ts';
import { fellBehind, type Hall, maySee, unsubscribe } from './connections.ts';
import { EVENT_BOUND_BYTES } from './socket-writer.ts';
import { giveDeltas, giveEvents, giveStatus, isFull, type Subscription } from './subscription.ts';
import { deltaFrame, eventFrame, type WireFrame, wireFrame } from './wire-frame.ts';

/** What happens in one session, to those who look at it. */
export function spread(hall: Hall, watching: ReadonlySet<Subscription>, news: News) {
  switch (news.kind) {
    case 'events': {
      if (news.events.some((event) => event.type === 'meta.changed' && event.closed !== undefined)) closedOrOpened(hall, hall.engine.session(news.sessionId));
      const frames = news.events.map((event) => eventFrame(news.sessionId, event));
      return each(hall, watching, frames, (subscription) => giveEvents(subscription, news.events, frames));
    }
    case 'deltas': {
      if (!someoneIs('live', watching)) return;
      const frames = news.deltas.map((delta) => deltaFrame(news.sessionId, delta));
      return each(hall, watching, frames, (subscription) => giveDeltas(subscription, frames));
    }
    case 'dropped': {
      const frames = [wireFrame({ type: 'delta.dropped', sessionId: news.sessionId, itemId: news.itemId })];
      return each(hall, watching, frames, (subscription) => giveDeltas(subscription, frames));
    }
    case 'session':
    case 'deleted':
    case 'notice':
    case 'problems':
      return;
  }
}

function someoneIs(state: Subscription['state'], watching: ReadonlySet<Subscription>): boolean {
  for (const subscription of watching) if (subscription.state === state) return true;
  return false;
}

/** What concerns everybody; the rest of a session's news is for those who look at it. */
export function announce(hall: Hall, news: News) {
  if (news.kind === 'deleted') postTaken(hall, news.sessionId);
  if (news.kind === 'notice') for (const client of hall.clients) tell(client, { type: 'notice', level: news.level, code: news.code, text: news.text });
  if (news.kind === 'problems') for (const client of hall.clients) tell(client, { type: 'problems', problems: [...news.problems] });
}

function each(hall: Hall, watching: ReadonlySet<Subscription>, frames: readonly WireFrame[], give: (to: Subscription) => boolean) {
  for (const subscription of watching) {
    if (!give(subscription)) fellBehind(hall, subscription);
  }
  hall.framesSent += frames.length * watching.size;
}

/** Those to whom a session has just been closed see it go, before anything more of it is told. One that was closed from its beginning was never there. */
function closedOrOpened(hall: Hall, session: Session | undefined) {
  if (session === undefined) return;
  const wasClosed = hall.closed.has(session.id);
  if (session.closed === true) hall.closed.set(session.id, session);
  else hall.closed.delete(session.id);
  if (wasClosed || session.closed !== true || !hall.known.has(session.id)) return;
  for (const client of hall.clients) if (!maySee(hall, client, session.id)) takeAway(hall, client, session.id);
}

export function postStatus(hall: Hall, session: Session) {
  closedOrOpened(hall, session);
  hall.known.add(session.id);
  const watching = hall.watchers.get(session.id)?.subscriptions;
  const frame = wireFrame({ type: 'status', sessionId: session.id, status: session.status, session });
  for (const subscription of watching ?? []) {
    if (hall.owners.get(subscription)?.list !== 'live' && !giveStatus(subscription, frame)) fellBehind(hall, subscription);
  }
  for (const client of hall.clients) if (maySee(hall, client, session.id) && seesRecord(hall.engine, session, client.identity)) postToList(client, frame);
}

/** To those who watch the list and may see the session. A client that cannot take it is told the whole list later, and then asks for what it missed. */
export function postActivity(hall: Hall, sessionId: SessionId, moves: readonly Move[]) {
  // What the hall knows of closed sessions may come a moment later than what happens in them; the engine is never late.
  const session = hall.engine.session(sessionId);
  if (session === undefined) return;
  const frame = wireFrame({ type: 'activity', sessionId, moves: [...moves] });
  for (const client of hall.clients) if (mayReach(session, client.identity) && seesRecord(hall.engine, session, client.identity)) postToList(client, frame);
}

export function postTaken(hall: Hall, sessionId: SessionId) {
  for (const client of hall.clients) if (maySee(hall, client, sessionId)) takeAway(hall, client, sessionId);
  hall.closed.delete(sessionId);
  hall.known.delete(sessionId);
}

function takeAway(hall: Hall, client: Client, sessionId: SessionId) {
  const frame = wireFrame({ type: 'status', sessionId, status: 'ended', deleted: true });
  if (client.list === 'off' && client.subscriptions.has(sessionId)) client.pipe.write(frame);
  postToList(client, frame);
  unsubscribe(hall, client, sessionId);
}

export function postToList(client: Client, frame: WireFrame) {
  if (client.list !== 'live') return;
  if (isFull(client.pipe, frame, EVENT_BOUND_BYTES)) client.list = 'stale';
  else client.pipe.write(frame);
}

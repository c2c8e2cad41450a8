import type { News } from '../../engine/engine.ts';
import type { Move } from '../../protocol/api/panel.ts';
import { isInternal, type SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { mayReach, seesRecord } from '../auth/access.ts';
import { type Client, postToList, send } from './client.ts';
import { type Connections, markBehind, maySee, unsubscribe } from './connections.ts';
import { type Subscription, sendDeltas, sendEvents, sendStatus } from './subscription.ts';
import { forgetWaiting, postWaitingAgain } from './waiting.ts';
import { deltaFrame, eventFrame, type WireFrame, wireFrame } from './wire-frame.ts';

/** Sends a session's news to the clients that watch it. */
export function broadcast(connections: Connections, watching: ReadonlySet<Subscription>, news: News) {
  switch (news.kind) {
    case 'events': {
      if (news.events.some((event) => event.type === 'meta.changed' && event.closed !== undefined))
        noteVisibility(connections, connections.engine.session(news.sessionId));
      const frames = news.events.map((event) => eventFrame(news.sessionId, event));
      return each(connections, watching, frames, (subscription) => sendEvents(subscription, news.events, frames));
    }
    case 'deltas': {
      if (!someoneIs('live', watching)) return;
      const frames = news.deltas.map((delta) => deltaFrame(news.sessionId, delta));
      return each(connections, watching, frames, (subscription) => sendDeltas(subscription, frames));
    }
    case 'dropped': {
      const frames = [wireFrame({ type: 'delta.dropped', sessionId: news.sessionId, itemId: news.itemId })];
      return each(connections, watching, frames, (subscription) => sendDeltas(subscription, frames));
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

/** Sends what concerns every client. Other news of a session goes only to clients that watch it. */
export function broadcastToAll(connections: Connections, news: News) {
  if (news.kind === 'deleted') postRemoved(connections, news.sessionId);
  if (news.kind === 'notice') for (const client of connections.clients) send(client, { type: 'notice', level: news.level, code: news.code, text: news.text });
  if (news.kind === 'problems') for (const client of connections.clients) send(client, { type: 'problems', problems: [...news.problems] });
}

function each(connections: Connections, watching: ReadonlySet<Subscription>, frames: readonly WireFrame[], deliver: (to: Subscription) => boolean) {
  for (const subscription of watching) {
    if (!deliver(subscription)) markBehind(connections, subscription);
  }
  connections.framesSent += frames.length * watching.size;
}

/** When a session becomes private, removes it from clients that can't see it, before they get anything else. If it was private from the start, they never had it. */
function noteVisibility(connections: Connections, session: Session | undefined) {
  if (session === undefined) return;
  const wasClosed = connections.closed.has(session.id);
  if (session.closed === true) connections.closed.set(session.id, session);
  else connections.closed.delete(session.id);
  if (wasClosed === (session.closed === true)) return;
  postWaitingAgain(connections, session);
  if (wasClosed || !connections.known.has(session.id)) return;
  for (const client of connections.clients) if (!maySee(connections, client, session.id)) removeFrom(connections, client, session.id);
}

export function postStatus(connections: Connections, session: Session) {
  noteVisibility(connections, session);
  connections.known.add(session.id);
  const watching = connections.watchers.get(session.id)?.subscriptions;
  const frame = wireFrame({ type: 'status', sessionId: session.id, status: session.status, session });
  for (const subscription of watching ?? []) {
    if (connections.owners.get(subscription)?.list !== 'live' && !sendStatus(subscription, frame)) markBehind(connections, subscription);
  }
  if (isInternal(session.id)) return;
  for (const client of connections.clients)
    if (maySee(connections, client, session.id) && seesRecord(connections.engine, session, client.identity)) postToList(client, frame);
}

/** Sends activity to list subscribers who may see the session. A slow client gets the whole list later and then asks for what it missed. */
export function postActivity(connections: Connections, sessionId: SessionId, moves: readonly Move[]) {
  // `connections.closed` can lag behind the engine, so ask the engine who may see the session.
  const session = connections.engine.session(sessionId);
  if (session === undefined) return;
  const frame = wireFrame({ type: 'activity', sessionId, moves: [...moves] });
  for (const client of connections.clients)
    if (mayReach(session, client.identity) && seesRecord(connections.engine, session, client.identity)) postToList(client, frame);
}

export function postRemoved(connections: Connections, sessionId: SessionId) {
  forgetWaiting(connections, sessionId);
  for (const client of connections.clients) if (maySee(connections, client, sessionId)) removeFrom(connections, client, sessionId);
  connections.closed.delete(sessionId);
  connections.known.delete(sessionId);
}

function removeFrom(connections: Connections, client: Client, sessionId: SessionId) {
  const frame = wireFrame({ type: 'status', sessionId, status: 'ended', deleted: true });
  if (client.list === 'off' && client.subscriptions.has(sessionId)) client.writer.write(frame);
  postToList(client, frame);
  unsubscribe(connections, client, sessionId);
}

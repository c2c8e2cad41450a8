import type { Engine, News } from '../../engine/engine.ts';
import type { ServerFrame } from '../../protocol/frame.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { type Client, caughtUp, tell } from './client.ts';
import { DELTA_BOUND_BYTES, EVENT_BOUND_BYTES } from './pipe.ts';
import { snapshotOf } from './snapshot.ts';
import { createStatusBoard } from './status-board.ts';
import { giveDeltas, giveEvents, giveStatus, isFull, type Subscription } from './subscription.ts';
import { deltaFrame, eventFrame, type WireFrame, wireFrame } from './wire-frame.ts';

export interface WireStats {
  readonly clients: number;
  readonly framesSent: number;
  readonly heldBack: number;
  readonly bufferedBytes: number;
}

/** Carries news to every client that watches, each frame made once. */
export interface Hub {
  join(client: Client): void;
  leave(client: Client): void;
  /** The snapshot goes out in the same breath in which live events begin; false when there is no such session. */
  subscribe(client: Client, sessionId: SessionId, after: number | undefined): boolean;
  unsubscribe(client: Client, sessionId: SessionId): void;
  subscribeToList(client: Client): void;
  drained(client: Client): void;
  clients(): ReadonlySet<Client>;
  stats(): WireStats;
  close(): void;
}

interface Hall {
  readonly engine: Engine;
  readonly clients: Set<Client>;
  readonly watchers: Map<SessionId, Watch>;
  readonly owners: WeakMap<Subscription, Client>;
  framesSent: number;
  heldBack: number;
}

/** A session that somebody looks at: the engine is asked for it once, however many do. */
interface Watch {
  readonly subscriptions: Set<Subscription>;
  readonly stop: () => void;
}

export function openHub(engine: Engine): Hub {
  const hall: Hall = { engine, clients: new Set(), watchers: new Map(), owners: new WeakMap(), framesSent: 0, heldBack: 0 };
  const board = createStatusBoard((session) => postStatus(hall, session));
  const unwatch = engine.watch('*', (news) => {
    if (news.kind === 'session') board.changed(news.session);
    if (news.kind === 'deleted') board.deleted(news.sessionId);
    announce(hall, news);
  });
  return {
    join: (client) => hall.clients.add(client),
    leave: (client) => leave(hall, client),
    subscribe: (client, sessionId, after) => subscribe(hall, client, sessionId, after),
    unsubscribe: (client, sessionId) => unsubscribe(hall, client, sessionId),
    subscribeToList: (client) => {
      client.list = 'live';
      tell(client, allSessions(engine));
    },
    drained: (client) => caughtUp(client, () => allSessions(engine)),
    clients: () => hall.clients,
    stats: () => statsOf(hall),
    close: () => {
      unwatch();
      for (const watch of hall.watchers.values()) watch.stop();
      hall.watchers.clear();
      board.close();
    },
  };
}

const allSessions = (engine: Engine): ServerFrame => ({ type: 'sessions', sessions: [...engine.sessions()] });

function subscribe(hall: Hall, client: Client, sessionId: SessionId, after: number | undefined): boolean {
  const session = hall.engine.session(sessionId);
  if (session === undefined) return false;
  unsubscribe(hall, client, sessionId);
  const subscription: Subscription = { sessionId, pipe: client.pipe, state: 'live', lastSeq: 0 };
  hall.owners.set(subscription, client);
  client.subscriptions.set(sessionId, subscription);
  watchFor(hall, sessionId).subscriptions.add(subscription);
  giveSnapshot(hall, subscription, session, after);
  return true;
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

function unsubscribe(hall: Hall, client: Client, sessionId: SessionId) {
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

function leave(hall: Hall, client: Client) {
  for (const sessionId of [...client.subscriptions.keys()]) unsubscribe(hall, client, sessionId);
  hall.clients.delete(client);
}

function fellBehind(hall: Hall, subscription: Subscription) {
  hall.heldBack += 1;
  hall.owners.get(subscription)?.behind.add(subscription);
}

/** What happens in one session, to those who look at it. */
function spread(hall: Hall, watching: ReadonlySet<Subscription>, news: News) {
  switch (news.kind) {
    case 'events': {
      const frames = news.events.map((event) => eventFrame(news.sessionId, event));
      return each(hall, watching, frames, (subscription) => giveEvents(subscription, news.events, frames));
    }
    case 'deltas': {
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
      return;
  }
}

/** What concerns everybody; the rest of a session's news is for those who look at it. */
function announce(hall: Hall, news: News) {
  if (news.kind === 'deleted') postDeleted(hall, news.sessionId);
  if (news.kind !== 'notice') return;
  for (const client of hall.clients) tell(client, { type: 'notice', level: news.level, code: news.code, text: news.text });
}

function each(hall: Hall, watching: ReadonlySet<Subscription>, frames: readonly WireFrame[], give: (to: Subscription) => boolean) {
  for (const subscription of watching) {
    if (!give(subscription)) fellBehind(hall, subscription);
  }
  hall.framesSent += frames.length * watching.size;
}

function postStatus(hall: Hall, session: Session) {
  const watching = hall.watchers.get(session.id)?.subscriptions;
  const frame = wireFrame({ type: 'status', sessionId: session.id, status: session.status, session });
  for (const subscription of watching ?? []) {
    if (hall.owners.get(subscription)?.list !== 'live' && !giveStatus(subscription, frame)) fellBehind(hall, subscription);
  }
  for (const client of hall.clients) postToList(client, frame);
}

function postDeleted(hall: Hall, sessionId: SessionId) {
  const frame = wireFrame({ type: 'status', sessionId, status: 'ended', deleted: true });
  for (const client of hall.clients) {
    if (client.list === 'off' && client.subscriptions.has(sessionId)) client.pipe.write(frame);
    postToList(client, frame);
    unsubscribe(hall, client, sessionId);
  }
}

function postToList(client: Client, frame: WireFrame) {
  if (client.list !== 'live') return;
  if (isFull(client.pipe, frame, EVENT_BOUND_BYTES)) client.list = 'stale';
  else client.pipe.write(frame);
}

function statsOf(hall: Hall): WireStats {
  let bufferedBytes = 0;
  for (const client of hall.clients) bufferedBytes += client.pipe.queuedBytes();
  return { clients: hall.clients.size, framesSent: hall.framesSent, heldBack: hall.heldBack, bufferedBytes };
}

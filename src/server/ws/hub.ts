import type { Engine } from '../../engine/engine.ts';
import type { Library } from '../../index/session-index.ts';
import type { Problems } from '../../problems/problems.ts';
import type { ServerFrame } from '../../protocol/frame.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { createActivityBoard } from './activity-batches.ts';
import { announce, postActivity, postStatus } from './broadcast.ts';
import { type Client, caughtUp, tell } from './client.ts';
import { type Hall, unsubscribe } from './connections.ts';
import { createStatusBoard } from './status-batches.ts';
import { leave, subscribe } from './subscribe.ts';
import { subscribeToPast, tellOfPast } from './subscribe-past.ts';

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
  /** The same for a session that only an agent's own record tells of; that is read elsewhere, so it takes a moment. */
  subscribeToPast(client: Client, sessionId: SessionId, after: number | undefined): Promise<boolean>;
  unsubscribe(client: Client, sessionId: SessionId): void;
  subscribeToList(client: Client): void;
  drained(client: Client): void;
  clients(): ReadonlySet<Client>;
  stats(): WireStats;
  close(): void;
}

export function openHub(engine: Engine, library: Library, problems: Problems): Hub {
  const known = new Set(engine.sessions().map(({ id }) => id));
  const hall: Hall = {
    engine,
    library,
    clients: new Set(),
    watchers: new Map(),
    owners: new WeakMap(),
    followed: new Map(),
    closed: closedAmong(engine),
    known,
    framesSent: 0,
    heldBack: 0,
  };
  const board = createStatusBoard((session) => postStatus(hall, session), problems);
  const activity = createActivityBoard((sessionId, moves) => postActivity(hall, sessionId, moves), problems);
  const unwatch = engine.watch('*', (news) => {
    if (news.kind === 'events' && isListWatched(hall)) activity.heard(news.sessionId, news.events);
    if (news.kind === 'session') board.changed(news.session);
    if (news.kind === 'deleted') {
      board.deleted(news.sessionId);
      activity.deleted(news.sessionId);
    }
    announce(hall, news);
  });
  const tellList = (client: Client) => {
    client.list = 'live';
    tell(client, allSessions(client.engine));
    tell(client, { type: 'index', ...library.progress() });
  };
  const unwatchPast = library.watch((news) => tellOfPast(hall, news));
  return {
    join: (client) => hall.clients.add(client),
    leave: (client) => leave(hall, client),
    subscribe: (client, sessionId, after) => subscribe(hall, client, sessionId, after),
    subscribeToPast: (client, sessionId, after) => subscribeToPast(hall, client, sessionId, after),
    unsubscribe: (client, sessionId) => unsubscribe(hall, client, sessionId),
    subscribeToList: tellList,
    drained: (client) => caughtUp(client, tellList),
    clients: () => hall.clients,
    stats: () => statsOf(hall),
    close: () => {
      unwatch();
      unwatchPast();
      for (const watch of hall.watchers.values()) watch.stop();
      hall.watchers.clear();
      board.close();
      activity.close();
    },
  };
}

/** Whoever comes later asks for what was before. */
function isListWatched({ clients }: Hall): boolean {
  for (const client of clients) if (client.list !== 'off') return true;
  return false;
}

const closedAmong = (engine: Engine) => new Map(engine.sessions().flatMap((session) => (session.closed === true ? [[session.id, session] as const] : [])));

const allSessions = (engine: Engine): ServerFrame => ({ type: 'sessions', sessions: [...engine.sessions()] });

function statsOf(hall: Hall): WireStats {
  let bufferedBytes = 0;
  for (const client of hall.clients) bufferedBytes += client.pipe.queuedBytes();
  return { clients: hall.clients.size, framesSent: hall.framesSent, heldBack: hall.heldBack, bufferedBytes };
}

import type { Engine } from '../../engine/engine.ts';
import type { SessionIndex } from '../../index/session-index.ts';
import type { Problems } from '../../problems/problems.ts';
import type { ServerFrame } from '../../protocol/frame.ts';
import { isInternal, type SessionId } from '../../protocol/ids.ts';
import type { Remote } from '../remote/remote.ts';
import type { SeenSessions } from '../shared/seen-sessions.ts';
import { createActivityBatches } from './activity-batches.ts';
import { broadcastToAll, postActivity, postStatus } from './broadcast.ts';
import { type Client, send, sendMissed } from './client.ts';
import { type Connections, unsubscribe } from './connections.ts';
import { createPlanBatches, planList } from './plan-batches.ts';
import { allSeen, postSeen } from './seen.ts';
import { createStatusBatches } from './status-batches.ts';
import { leave, subscribe } from './subscribe.ts';
import { broadcastPast, subscribeToPast } from './subscribe-past.ts';
import { allWaiting, openWaiting, postWaiting } from './waiting.ts';

export interface WireStats {
  readonly clients: number;
  readonly framesSent: number;
  readonly heldBack: number;
  readonly bufferedBytes: number;
}

/** Sends news to every client that watches; each frame is built once. */
export interface Hub {
  join(client: Client): void;
  leave(client: Client): void;
  /** Sends the snapshot and starts live events in one step, so no event falls in between. False when there is no such session. */
  subscribe(client: Client, sessionId: SessionId, after: number | undefined): boolean;
  /** The same for a past session. Its record is read by another thread, so this is asynchronous. */
  subscribeToPast(client: Client, sessionId: SessionId, after: number | undefined): Promise<boolean>;
  unsubscribe(client: Client, sessionId: SessionId): void;
  subscribeToList(client: Client): void;
  /** Sends all pending requests again. */
  sendWaiting(client: Client): void;
  drained(client: Client): void;
  clients(): ReadonlySet<Client>;
  stats(): WireStats;
  close(): void;
}

export function openHub(engine: Engine, sessionIndex: SessionIndex, seen: SeenSessions, problems: Problems, remote?: Remote): Hub {
  const known = new Set(engine.sessions().map(({ id }) => id));
  const connections: Connections = {
    engine,
    sessionIndex,
    seen,
    clients: new Set(),
    watchers: new Map(),
    owners: new WeakMap(),
    followed: new Map(),
    closed: closedSessions(engine),
    known,
    waiting: openWaiting(engine),
    remote,
    framesSent: 0,
    heldBack: 0,
  };
  const statusBatches = createStatusBatches((session) => postStatus(connections, session), problems);
  const activityBatches = createActivityBatches((sessionId, moves) => postActivity(connections, sessionId, moves), problems);
  const planBatches = createPlanBatches(connections, problems);
  const unwatch = engine.watch('*', (news) => {
    if (news.kind === 'events' && isListWatched(connections) && !isInternal(news.sessionId)) activityBatches.add(news.sessionId, news.events);
    if (news.kind === 'events') postWaiting(connections, news.sessionId, news.events);
    if (news.kind === 'events' || news.kind === 'deleted') planBatches.changed(news.sessionId);
    if (news.kind === 'session') statusBatches.changed(news.session);
    if (news.kind === 'deleted') {
      statusBatches.deleted(news.sessionId);
      activityBatches.deleted(news.sessionId);
    }
    broadcastToAll(connections, news);
  });
  const sendList = (client: Client) => {
    client.list = 'live';
    send(client, allSessions(client.engine, remote));
    send(client, allWaiting(connections, client));
    send(client, planList(engine.plans(), Date.now()));
    send(client, allSeen(connections, client));
    send(client, { type: 'index', ...sessionIndex.progress() });
    if (remote !== undefined) send(client, { type: 'machines', machines: remote.machines() });
  };
  const unwatchSeen = seen.watch((personId, marks) => postSeen(connections, personId, marks));
  const unwatchPast = sessionIndex.watch((news) => broadcastPast(connections, news));
  return {
    join: (client) => connections.clients.add(client),
    leave: (client) => {
      remote?.leave(client);
      leave(connections, client);
    },
    subscribe: (client, sessionId, after) => subscribe(connections, client, sessionId, after),
    subscribeToPast: (client, sessionId, after) => subscribeToPast(connections, client, sessionId, after),
    unsubscribe: (client, sessionId) => {
      remote?.unsubscribe(client, sessionId);
      unsubscribe(connections, client, sessionId);
    },
    subscribeToList: sendList,
    sendWaiting: (client) => send(client, allWaiting(connections, client)),
    drained: (client) => {
      sendMissed(client, sendList);
      remote?.drained(client);
    },
    clients: () => connections.clients,
    stats: () => statsOf(connections),
    close: () => {
      unwatch();
      unwatchPast();
      unwatchSeen();
      for (const watch of connections.watchers.values()) watch.stop();
      connections.watchers.clear();
      statusBatches.close();
      activityBatches.close();
      planBatches.close();
    },
  };
}

/** With no list subscribers, activity isn't collected: a client that subscribes later asks for what came before. */
function isListWatched({ clients }: Connections): boolean {
  for (const client of clients) if (client.list !== 'off') return true;
  return false;
}

const closedSessions = (engine: Engine) => new Map(engine.sessions().flatMap((session) => (session.closed === true ? [[session.id, session] as const] : [])));

const allSessions = (engine: Engine, remote: Remote | undefined): ServerFrame => ({
  type: 'sessions',
  sessions: [...engine.sessions(), ...(remote?.sessions() ?? [])],
});

function statsOf(connections: Connections): WireStats {
  let bufferedBytes = 0;
  for (const client of connections.clients) bufferedBytes += client.writer.queuedBytes();
  return { clients: connections.clients.size, framesSent: connections.framesSent, heldBack: connections.heldBack, bufferedBytes };
}

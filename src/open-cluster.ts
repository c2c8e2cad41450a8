import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { Carrier } from './cluster/carrier.ts';
import { Cluster } from './cluster/cluster.ts';
import { openRedisCarrier } from './cluster/redis-carrier.ts';
import { createSeal, newClusterKey, readClusterKey } from './cluster/seal.ts';
import type { Config } from './config.ts';
import { openMachineStore } from './index/machines/machine-store.ts';
import { saveNode } from './node-id.ts';
import type { App } from './open-app.ts';
import { type SessionSource, SharedSessions } from './outbound/share-sessions.ts';
import { VERSION } from './package-info.ts';
import type { Problems } from './problems/problems.ts';
import type { MachineFacts } from './protocol/api/machines.ts';
import type { Session } from './protocol/session.ts';
import { engineFor, listsFor } from './server/auth/access.ts';
import { answer } from './server/remote/answer.ts';
import { createRemote, sinkOf } from './server/remote/create-remote.ts';
import { isShownToAll } from './server/remote/last-known.ts';
import type { Remote } from './server/remote/remote.ts';
import type { RemoteContext } from './server/remote/remote-context.ts';
import { acceptView } from './server/remote/remote-pipe.ts';
import type { Log } from './server/shared/log.ts';

/** This machine's part in a cluster. Only loaded when a Redis URL is set. */
export interface OpenCluster {
  readonly remote: Remote;
  /** Joins, once this server can answer the others. */
  start(url: string | undefined): void;
  close(): Promise<void>;
}

export interface ClusterParts {
  readonly config: Config;
  readonly app: App;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
  readonly problems: Problems;
}

export async function openCluster({ config, app, env, log, problems }: ClusterParts): Promise<OpenCluster> {
  const { redisUrl: url = '', cluster: name, clusterRole } = config;
  const seal = createSeal(clusterKeyOf(config, env), name);
  const store = openMachineStore(config.data);
  const startedAt = new Date().toISOString();
  let ownUrl: string | undefined;
  const facts = (): MachineFacts => {
    const { live, maxLive } = app.engine.machine();
    return {
      hostname: hostname(),
      platform: process.platform,
      version: VERSION,
      ...(ownUrl !== undefined && { url: ownUrl }),
      live,
      maxLive,
      clusterRole,
      startedAt,
    };
  };
  const carrier: Carrier = await openRedisCarrier({ url, cluster: name, problems });
  const shared = new SharedSessions(sourceOf(app), (changes) => cluster.publish(changes), problems);
  const cluster: Cluster = new Cluster({
    carrier,
    seal,
    node: app.node,
    saveEpoch: (epoch) => saveNode(config.data, { id: app.node.id, epoch }),
    facts,
    problems,
    answer: (from, request) => answer(context, from, request),
    accept: (from, who, channel) => acceptView(context, from, who, channel),
    sink: sinkOf({ store }),
    all: () => shared.all(),
    changed: () => parts.machinesChanged(),
  });
  const context: RemoteContext = Object.assign(
    { cluster, store, self: { id: app.node.id, hostname: hostname() }, clusterName: name, facts, clusterRole, log, problems },
    { local: undefined as unknown as RemoteContext['local'] },
  );
  const parts = createRemote(context);
  listSessions(app, store, problems);
  return {
    remote: parts.remote,
    start: (at) => {
      ownUrl = at;
      problems.during('stay in touch with other machines', () => cluster.beat());
    },
    close: async () => {
      shared.close();
      await cluster.close();
      store.close();
    },
  };
}

/** Lists are answered from our own database, with and without the other machines. */
function listSessions(app: App, store: ReturnType<typeof openMachineStore>, problems: Problems): void {
  app.listRemote(() => [...store.sessions()].map(({ shared }) => shared.session));
  store.watch(({ changed, removed }) => {
    const sessions = changed.map(({ now }) => now.shared.session);
    const gone = removed.map(({ shared }) => shared.session.id);
    problems.during('list sessions of other machines', () => app.sessionList.offerRemote(sessions, gone));
  });
}

/** What somebody sees who may see nothing private. */
function sourceOf(app: App): SessionSource {
  const stranger = () => ({ id: '', role: 'viewer', via: 'cluster' }) as const;
  const engine = engineFor(app.engine, stranger, app.sessionIndex.sessionIndex);
  const lists = listsFor(app, app.engine, stranger);
  return {
    session: (id) => engine.session(id),
    permissions: (id) => engine.permissions(id),
    newest: async (limit) => {
      const own: Session[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await lists.list({ limit, ...(cursor !== undefined && { cursor }) });
        own.push(...page.sessions.filter(({ node }) => node === app.node.id));
        cursor = page.nextCursor;
        if (cursor === undefined || own.length >= limit) return own.slice(0, limit);
      }
    },
    watch: (listener) => {
      const stops = [
        app.engine.watch('*', (news) => {
          if (news.kind === 'session') listener.changed(news.session);
          if (news.kind === 'events') listener.events(news.sessionId, news.events);
          if (news.kind === 'deleted') listener.removed(news.sessionId);
        }),
        app.sessionIndex.sessionIndex.watch((news) => {
          if (news.kind === 'session' && isShownToAll({ node: '', shared: { session: news.session, waiting: [], resolved: [] } }))
            listener.changed(news.session);
        }),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

/** Without a key of its own, machines share a key file of this user: then Redis is on this machine, and so are they. */
function clusterKeyOf({ clusterKey }: Config, env: ClusterParts['env']): Buffer {
  const given = clusterKey === undefined ? undefined : readClusterKey(clusterKey);
  if (given !== undefined) return given;
  const home = env.HOME ?? homedir();
  const file = join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'signalbox-cluster-key');
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    try {
      writeFileSync(file, `${newClusterKey()}\n`, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
  const stored = readClusterKey(readFileSync(file, 'utf8').trim());
  if (stored === undefined) throw new Error(`${file} holds no cluster key. Delete it, or set SIGNALBOX_CLUSTER_KEY.`);
  return stored;
}

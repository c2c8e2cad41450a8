import type { SummarySink } from '../../cluster/summaries.ts';
import type { Session } from '../../protocol/session.ts';
import { announce, announceMachine, announceMachines } from './announce.ts';
import { currentOf, isShownToAll } from './last-known.ts';
import { isPlace, locate } from './locate.ts';
import { machineList } from './machines.ts';
import { merge } from './merge.ts';
import { forward } from './proxy.ts';
import type { LocalServer, Remote } from './remote.ts';
import type { RemoteContext } from './remote-context.ts';
import { submit } from './submit.ts';
import { RemoteViews } from './views.ts';

/** What the cluster tells the server. */
export interface RemoteParts {
  readonly remote: Remote;
  /** Another machine, or our connection to all of them, came or went. */
  machinesChanged(): void;
}

export function createRemote(context: RemoteContext): RemoteParts {
  const { cluster, store, problems } = context;
  const views = new RemoteViews(context);
  const reachable = new Set<string>();
  let shown = '';
  const remote: Remote = {
    attach: (local: LocalServer) => {
      context.local = local;
      store.watch((news) => problems.during('update pages', () => announce(context, news)));
      local.app.addHook('preHandler', (request, reply) => forward(context, request, reply));
    },
    forward: (request, reply) => forward(context, request, reply),
    merge: (route, request, answer) => merge(context, route, request, answer),
    sessions: () => [...store.sessions()].filter(isShownToAll).map((known) => currentOf(context, known)),
    current: (session: Session) => {
      const known = session.node === context.self.id ? undefined : store.session(session.id);
      return known === undefined ? session : currentOf(context, known);
    },
    waiting: () => [...store.sessions()].flatMap(({ shared }) => shared.waiting),
    sessionOfRequest: (requestId) => store.ofRequest(requestId)?.shared.session.id,
    has: (id) => store.session(id) !== undefined,
    subscribe: async (client, id, after) => {
      const place = await locate(context, id, client.identity, client.from);
      if (!isPlace(place)) return place;
      if (place.kind === 'local') return false;
      views.subscribe(client, place.node, id, after);
      return true;
    },
    unsubscribe: (client, id) => views.unsubscribe(client, id),
    leave: (client) => views.leave(client),
    drained: (client) => views.drained(client),
    submit: (client, command) => submit(context, client, command),
    machines: () => machineList(context),
    forget: async (node) => {
      const isKnown = store.machines().has(node) || cluster.others().has(node);
      await cluster.forget(node);
      store.forget(node);
      return isKnown;
    },
  };
  return {
    remote,
    machinesChanged: () => {
      noteFacts(context);
      if (context.local === undefined) return;
      for (const node of new Set([...store.machines().keys(), ...reachable])) {
        const isNow = cluster.lifeOf(node) !== undefined;
        if (isNow === reachable.has(node)) continue;
        if (isNow) reachable.add(node);
        else reachable.delete(node);
        announceMachine(context, node);
      }
      const now = machinesKey(context);
      if (now !== shown) announceMachines(context);
      shown = now;
      views.machinesChanged();
    },
  };
}

/** What people see of the machines, without what changes with every beat. */
function machinesKey(context: RemoteContext): string {
  const { cluster, nodes } = machineList(context);
  return JSON.stringify([cluster, nodes.map(({ id, state, facts }) => [id, state, facts])]);
}

/** Written only when they changed, and now and then the time. */
const NOTE_MS = 60_000;

function noteFacts({ cluster, store }: RemoteContext): void {
  for (const [node, { facts, heardAt, state }] of cluster.others()) {
    if (facts === undefined) continue;
    const known = store.machines().get(node);
    const isOld = known === undefined || heardAt - Date.parse(known.heardAt) > NOTE_MS || state === 'gone';
    const at = new Date(heardAt).toISOString();
    if (isOld ? known?.heardAt !== at : JSON.stringify(known.facts) !== JSON.stringify(facts)) store.heard(node, facts, at);
  }
}

/** What other machines share goes into the store. */
export const sinkOf = ({ store }: Pick<RemoteContext, 'store'>): SummarySink => ({
  changed: (node, changes) => store.changed(node, changes),
  all: (node, upTo, changes) => store.all(node, upTo, changes),
});

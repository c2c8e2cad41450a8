import type { Machine, MachineList } from '../../protocol/api/machines.ts';
import { awaySince } from './away.ts';
import type { RemoteContext } from './remote-context.ts';

/** This machine and all others that are known, those that can be reached first. */
export function machineList(context: RemoteContext): MachineList {
  const { cluster, store, self, facts, clusterName } = context;
  const own: Machine = { id: self.id, state: 'here', facts: facts(), sessions: context.local.engine.sessions().length };
  const ids = new Set([...cluster.others().keys(), ...store.machines().keys()]);
  ids.delete(self.id);
  const others = [...ids].map((id) => machineOf(context, id)).sort((a, b) => rank(a) - rank(b) || nameIn(a).localeCompare(nameIn(b)));
  const { counts } = cluster;
  return {
    cluster: cluster.state,
    name: clusterName,
    nodes: [own, ...others],
    ...(counts !== undefined && { ignoredFrames: counts.ignored + counts.repeated }),
  };
}

function machineOf(context: RemoteContext, id: string): Machine {
  const { cluster, store } = context;
  const other = cluster.others().get(id);
  const facts = other?.facts ?? store.machines().get(id)?.facts;
  const since = awaySince(context, id);
  const state = cluster.state === 'unreachable' || cluster.state === 'joining' ? 'unreachable' : (other?.state ?? 'gone');
  let sessions = 0;
  for (const known of store.sessions()) if (known.node === id) sessions += 1;
  return { id, state, sessions, ...(since !== undefined && { since }), ...(facts !== undefined && { facts }) };
}

const rank = ({ state }: Machine): number => (state === 'reachable' ? 0 : 1);
const nameIn = ({ id, facts }: Machine): string => facts?.hostname ?? id;

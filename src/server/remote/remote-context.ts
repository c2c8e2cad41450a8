import type { Cluster } from '../../cluster/cluster.ts';
import type { Vouched } from '../../cluster/frames.ts';
import type { MachineStore } from '../../index/machines/machine-store.ts';
import type { Problems } from '../../problems/problems.ts';
import type { Role } from '../../protocol/actor.ts';
import type { MachineFacts } from '../../protocol/api/machines.ts';
import type { Identity } from '../auth/tokens.ts';
import type { Log } from '../shared/log.ts';
import type { LocalServer } from './remote.ts';

/** What the parts of `remote/` share. */
export interface RemoteContext {
  readonly cluster: Cluster;
  readonly store: MachineStore;
  /** This machine's id, and its name for people. */
  readonly self: { readonly id: string; readonly hostname: string };
  readonly clusterName: string;
  readonly facts: () => MachineFacts;
  /** What people of other machines may do here at most. */
  readonly clusterRole: Role;
  readonly log: Log;
  readonly problems: Problems;
  /** Set before the first request. */
  local: LocalServer;
}

/** How another machine is told who acts here. */
export const vouchFor = ({ self }: Pick<RemoteContext, 'self'>, { id, name, role }: Pick<Identity, 'id' | 'name' | 'role'>, from: string): Vouched => ({
  id: `${id}@${self.id}`,
  name,
  role,
  from: `${from} via ${self.hostname}`,
});

/** A machine's name for people. */
export const nameOf = ({ cluster, store }: Pick<RemoteContext, 'cluster' | 'store'>, node: string): string =>
  cluster.others().get(node)?.facts?.hostname ?? store.machines().get(node)?.facts.hostname ?? `machine ${node.slice(0, 8)}`;

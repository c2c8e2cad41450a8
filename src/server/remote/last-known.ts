import type { RemoteSession } from '../../index/machines/machine-store.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { awaySince } from './away.ts';
import type { RemoteContext } from './remote-context.ts';

type Context = Pick<RemoteContext, 'cluster' | 'store'>;

/** A session of another machine: as it is, or, while its machine is away, as it was last known. */
export function currentOf(context: Context, { node, shared }: RemoteSession): Session {
  const { lastKnown: _, ...session } = shared.session;
  const since = awaySince(context, node);
  return since === undefined ? session : { ...session, reachable: false, lastKnown: { at: since, node } };
}

export function lastKnownOf(context: Context, id: SessionId): Session | undefined {
  const known = context.store.session(id);
  return known === undefined ? undefined : currentOf(context, known);
}

/** Thousands of past sessions belong in the list only, not on the deck. */
export const isShownToAll = ({ shared: { session } }: RemoteSession): boolean => session.past === undefined || session.control === 'elsewhere';

import type { Refusal } from '../../protocol/command.ts';
import { nameOf, type RemoteContext } from './remote-context.ts';

type Context = Pick<RemoteContext, 'cluster' | 'store'>;

/** When a machine was last heard of; undefined while it can be reached. */
export function awaySince({ cluster, store }: Context, node: string): string | undefined {
  if (cluster.lifeOf(node) !== undefined) return undefined;
  const heard = cluster.others().get(node)?.heardAt;
  return heard === undefined ? (store.machines().get(node)?.heardAt ?? new Date(0).toISOString()) : new Date(heard).toISOString();
}

/** The owner can't be reached: nothing was changed, and nobody says that the session doesn't exist. */
export function ownerAway(context: Context, node: string): Refusal {
  const name = nameOf(context, node);
  const since = awaySince(context, node);
  const why = context.cluster.state === 'joined' ? `${name} can’t be reached now` : `Other machines are unreachable, and this is on ${name}`;
  return { refused: 'owner-away', message: `${why}. Nothing was changed. Try again when it is back.`, details: { node, hostname: name, since } };
}

/** Nobody who can be reached has it, but not everybody can be reached. */
export function maybeAway(context: Context, silent: readonly string[]): Refusal {
  const names = silent.map((node) => nameOf(context, node));
  const who = names.length === 0 ? 'Other machines are' : names.length === 1 ? `${names[0]} is` : `${names.join(', ')} are`;
  return {
    refused: 'owner-away',
    message: `It isn’t on this machine. ${who} unreachable now, and may have it. Nothing was changed.`,
    details: { nodes: silent, hostnames: names },
  };
}

export const unknownOutcome = (context: Context, node: string): Refusal => ({
  refused: 'unknown-outcome',
  message: `${nameOf(context, node)} did not answer in time, so it is unknown whether this was done. Send the same commandId again: it counts once.`,
  details: { node, hostname: nameOf(context, node) },
});

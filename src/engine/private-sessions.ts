import type { SessionState } from '../domain/session/state.ts';
import type { World } from './engine-context.ts';

/**
 * Whose the closed sessions are that ever had this conversation of the agent: also before a /clear, also deleted ones, also as the copy
 * in which a summary of it was asked for. Nobody else may see or go on with it.
 */
export function ownersOfClosed(world: Pick<World, 'boxes' | 'house'>, agentSessionId: string, seen: ReadonlySet<string> = new Set()): readonly string[] {
  if (seen.has(agentSessionId)) return [];
  const owners = world.house.state.closed.flatMap((closed) => (closed.agentSessionIds.includes(agentSessionId) ? [closed.ownerId] : []));
  for (const { state } of world.boxes.values()) {
    const mind = state.minds.find(({ id }) => id === agentSessionId);
    if (mind === undefined) continue;
    if (state.meta.closed) owners.push(ownerOf(state));
    if (mind.copyOf !== undefined) owners.push(...ownersOfClosed(world, mind.copyOf, new Set([...seen, agentSessionId])));
  }
  return [...new Set(owners)];
}

/** Every conversation that is closed to somebody. Only those of closed sessions, and copies, can be. */
export function closedConversations(world: Pick<World, 'boxes' | 'house'>): readonly string[] {
  const gone = world.house.state.closed.flatMap(({ agentSessionIds }) => agentSessionIds);
  const minds = [...world.boxes.values()].flatMap(({ state }) => state.minds.filter((mind) => state.meta.closed || mind.copyOf !== undefined));
  return [...new Set([...gone, ...minds.map(({ id }) => id)])].filter((id) => ownersOfClosed(world, id).length > 0);
}

/** The agent's own files outlive a deleted session, and so does what was closed about them. Done again after a kill, it changes nothing. */
export function keepClosedOf(world: World, { minds }: SessionState): void {
  const byOwner = new Map<string, string[]>();
  for (const { id } of minds) {
    for (const ownerId of ownersOfClosed(world, id)) byOwner.set(ownerId, [...(byOwner.get(ownerId) ?? []), id]);
  }
  for (const [ownerId, agentSessionIds] of byOwner) {
    const known = new Set(world.house.state.closed.flatMap((closed) => (closed.ownerId === ownerId ? closed.agentSessionIds : [])));
    const missing = agentSessionIds.filter((id) => !known.has(id));
    if (missing.length > 0) world.house.keepClosed({ ownerId, agentSessionIds: missing });
  }
}

const ownerOf = ({ born }: SessionState): string => born?.ownerId ?? born?.owner ?? '';

import type { SessionState } from '../domain/session/state.ts';
import type { EngineContext } from './engine-context.ts';

/**
 * Whose the closed sessions are that ever had this conversation of the agent: also before a /clear, also deleted ones, also as the copy
 * in which a summary of it was asked for. Nobody else may see or go on with it.
 */
export function ownersOfClosed(
  context: Pick<EngineContext, 'sessions' | 'workspace'>,
  agentSessionId: string,
  seen: ReadonlySet<string> = new Set(),
): readonly string[] {
  if (seen.has(agentSessionId)) return [];
  const owners = context.workspace.state.closed.flatMap((closed) => (closed.agentSessionIds.includes(agentSessionId) ? [closed.ownerId] : []));
  for (const { state } of context.sessions.values()) {
    const conversation = state.minds.find(({ id }) => id === agentSessionId);
    if (conversation === undefined) continue;
    if (state.meta.closed) owners.push(ownerOf(state));
    if (conversation.copyOf !== undefined) owners.push(...ownersOfClosed(context, conversation.copyOf, new Set([...seen, agentSessionId])));
  }
  return [...new Set(owners)];
}

/** Every conversation that is closed to somebody. Only those of closed sessions, and copies, can be. */
export function closedConversations(context: Pick<EngineContext, 'sessions' | 'workspace'>): readonly string[] {
  const gone = context.workspace.state.closed.flatMap(({ agentSessionIds }) => agentSessionIds);
  const conversations = [...context.sessions.values()].flatMap(({ state }) =>
    state.minds.filter((conversation) => state.meta.closed || conversation.copyOf !== undefined),
  );
  return [...new Set([...gone, ...conversations.map(({ id }) => id)])].filter((id) => ownersOfClosed(context, id).length > 0);
}

/** The agent's own files outlive a deleted session, and so does what was closed about them. Done again after a kill, it changes nothing. */
export function keepClosedOf(context: EngineContext, { minds }: SessionState): void {
  const byOwner = new Map<string, string[]>();
  for (const { id } of minds) {
    for (const ownerId of ownersOfClosed(context, id)) byOwner.set(ownerId, [...(byOwner.get(ownerId) ?? []), id]);
  }
  for (const [ownerId, agentSessionIds] of byOwner) {
    const known = new Set(context.workspace.state.closed.flatMap((closed) => (closed.ownerId === ownerId ? closed.agentSessionIds : [])));
    const missing = agentSessionIds.filter((id) => !known.has(id));
    if (missing.length > 0) context.workspace.keepClosed({ ownerId, agentSessionIds: missing });
  }
}

const ownerOf = ({ born }: SessionState): string => born?.ownerId ?? born?.owner ?? '';

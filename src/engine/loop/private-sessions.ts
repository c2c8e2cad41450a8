import type { SessionState } from '../../domain/session/state.ts';
import type { EngineContext } from './engine-context.ts';

/**
 * The owners of private sessions that ever had this conversation: before a /clear, in a deleted session, or as the copy in which a summary
 * was requested. Nobody else may see or continue it.
 */
export function ownersOfPrivate(
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
    if (conversation.copyOf !== undefined) owners.push(...ownersOfPrivate(context, conversation.copyOf, new Set([...seen, agentSessionId])));
  }
  return [...new Set(owners)];
}

/** Every private conversation. Only conversations of private sessions, and copies, can be private. */
export function privateConversations(context: Pick<EngineContext, 'sessions' | 'workspace'>): readonly string[] {
  const deleted = context.workspace.state.closed.flatMap(({ agentSessionIds }) => agentSessionIds);
  const conversations = [...context.sessions.values()].flatMap(({ state }) =>
    state.minds.filter((conversation) => state.meta.closed || conversation.copyOf !== undefined),
  );
  return [...new Set([...deleted, ...conversations.map(({ id }) => id)])].filter((id) => ownersOfPrivate(context, id).length > 0);
}

/** The agent's own files outlive a deleted session, so its conversations must stay private. Safe to repeat after a kill. */
export function keepConversationsPrivate(context: EngineContext, { minds }: SessionState): void {
  const byOwner = new Map<string, string[]>();
  for (const { id } of minds) {
    for (const ownerId of ownersOfPrivate(context, id)) byOwner.set(ownerId, [...(byOwner.get(ownerId) ?? []), id]);
  }
  for (const [ownerId, agentSessionIds] of byOwner) {
    const known = new Set(context.workspace.state.closed.flatMap((closed) => (closed.ownerId === ownerId ? closed.agentSessionIds : [])));
    const missing = agentSessionIds.filter((id) => !known.has(id));
    if (missing.length > 0) context.workspace.keepPrivate({ ownerId, agentSessionIds: missing });
  }
}

const ownerOf = ({ born }: SessionState): string => born?.ownerId ?? born?.owner ?? '';

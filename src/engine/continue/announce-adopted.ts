import type { SessionActor } from '../loop/session-actor.ts';

/** Announces our conversations to the archive: whenever one is added, and at every start, because a kill may have prevented it. */
export function announceAdopted({ context, state }: SessionActor, known = 0): void {
  const agent = state.born?.agent;
  if (agent === undefined) return;
  for (const [index, conversation] of state.minds.entries()) {
    if (index >= known) context.deps.past?.adopted(agent, conversation.id, index === 0 ? state.base : 0);
  }
}

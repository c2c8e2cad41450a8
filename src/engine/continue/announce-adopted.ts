import type { SessionBox } from '../loop/session-actor.ts';

/** The archive is told which conversations are ours: at every start, because a kill may have come before it was told, and whenever one is added. */
export function tellTakenUp({ world, state }: SessionBox, known = 0): void {
  const agent = state.born?.agent;
  if (agent === undefined) return;
  for (const [index, mind] of state.minds.entries()) {
    if (index >= known) world.deps.past?.takenUp(agent, mind.id, index === 0 ? state.base : 0);
  }
}

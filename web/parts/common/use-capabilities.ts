import type { Capabilities } from '../../../src/protocol/session.ts';
import { useApp } from '../../store/cockpit-context.ts';
import type { AppState } from '../../store/state/app-state.ts';

/** What the agent of a session can do; unset until the server has told. */
export function useCapabilities(sessionId: string): Capabilities | undefined {
  const known = useApp((state) => agentOf(state, sessionId)?.capabilities);
  const told = useApp((state) => state.sessions.get(sessionId)?.capabilities);
  return known && { ...known, ...told };
}

/** One of them, for a selector. */
export const abilityIn = (state: AppState, sessionId: string, ability: Exclude<keyof Capabilities, 'modes'>): boolean | undefined =>
  state.sessions.get(sessionId)?.capabilities?.[ability] ?? agentOf(state, sessionId)?.capabilities[ability];

const agentOf = (state: AppState, sessionId: string) => state.agents?.find((agent) => agent.id === state.sessions.get(sessionId)?.agent);

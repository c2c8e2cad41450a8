import type { Capabilities } from '../../../src/protocol/session.ts';
import { useApp } from '../../store/cockpit-context.ts';
import type { AppState } from '../../store/state/app-state.ts';

/** What the session's agent can do; undefined until the server has answered. */
export function useCapabilities(sessionId: string): Capabilities | undefined {
  const ofAgent = useApp((state) => agentOf(state, sessionId)?.capabilities);
  const ofSession = useApp((state) => state.sessions.get(sessionId)?.capabilities);
  return ofAgent && { ...ofAgent, ...ofSession };
}

/** One capability, for a selector. */
export const capabilityIn = (
  state: AppState,
  sessionId: string,
  capability: Exclude<keyof Capabilities, 'modes' | 'ownModes' | 'tools'>,
): boolean | undefined => state.sessions.get(sessionId)?.capabilities?.[capability] ?? agentOf(state, sessionId)?.capabilities[capability];

const agentOf = (state: AppState, sessionId: string) => state.agents?.find((agent) => agent.id === state.sessions.get(sessionId)?.agent);

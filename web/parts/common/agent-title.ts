import type { AppState } from '../../store/state/app-state.ts';

/** The title of a session's agent, once the agents are known. */
export function agentTitleIn({ sessions, agents }: AppState, sessionId: string): string | undefined {
  const agent = sessions.get(sessionId)?.agent;
  return agents?.find(({ id }) => id === agent)?.title;
}

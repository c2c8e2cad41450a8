import type { Capabilities } from '../../src/protocol/session.ts';
import { useApp } from '../app/cockpit-context.ts';

/** What the agent of a session can do; unset until the server has told. */
export const useCapabilities = (sessionId: string): Capabilities | undefined =>
  useApp((state) => state.agents?.find((agent) => agent.id === state.sessions.get(sessionId)?.agent)?.capabilities);

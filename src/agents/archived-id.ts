import { createHash } from 'node:crypto';
import type { AgentId, SessionId } from '../protocol/ids.ts';

/** The id of a session that another program had: made from the agent's own, so that it is the same on every machine. */
export const archivedIdOf = (agent: AgentId, agentSessionId: string): SessionId =>
  `past-${createHash('sha256').update(`${agent}\n${agentSessionId}`).digest('hex').slice(0, 24)}` as SessionId;

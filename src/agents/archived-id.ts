import { createHash } from 'node:crypto';
import type { AgentId, SessionId } from '../protocol/ids.ts';

const PREFIX = 'past-';

/** The id of a session that another program had: made from the agent's own, so that it is the same on every machine. */
export const archivedIdOf = (agent: AgentId, agentSessionId: string): SessionId =>
  `${PREFIX}${createHash('sha256').update(`${agent}\n${agentSessionId}`).digest('hex').slice(0, 24)}` as SessionId;

/** Whether an id could be one of these. */
export const isArchivedId = (id: string): boolean => id.startsWith(PREFIX);

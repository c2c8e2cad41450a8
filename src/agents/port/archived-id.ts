import { createHash } from 'node:crypto';
import type { AgentId, SessionId } from '../../protocol/ids.ts';

const PREFIX = 'past-';

/** The id of a session from another program, derived from the agent's own id so that every machine gets the same one. */
export const archivedIdOf = (agent: AgentId, agentSessionId: string): SessionId =>
  `${PREFIX}${createHash('sha256').update(`${agent}\n${agentSessionId}`).digest('hex').slice(0, 24)}` as SessionId;

/** Whether an id could be one of these. */
export const isArchivedId = (id: string): boolean => id.startsWith(PREFIX);

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { archivedIdOf } from '../../../src/agents/port/archived-id.ts';
import type { SeenRecord } from '../../../src/archive/keeper-port.ts';
import { AgentId, type SessionId } from '../../../src/protocol/ids.ts';

export const AGENT = AgentId.parse('demo');

export const idOfSession = (session: string): SessionId => archivedIdOf(AGENT, session);

export function seenRecord(
  root: string,
  path: string,
  number: number,
  { session = path, companion }: { session?: string; companion?: string } = {},
): SeenRecord {
  const { size, mtimeMs, ino } = statSync(join(root, path));
  return { agent: AGENT, agentSessionId: session, root, path, number, size, mtimeMs, ino, ...(companion !== undefined && { companion }) };
}

import { isArchivedId } from '../agents/port/archived-id.ts';
import type { PastSession, RecordLines } from '../archive/archive.ts';
import type { FoundPastSession, PastEventsPage, PastSessionsPort, RecordBatch, RecordPosition } from '../archive/past-sessions-port.ts';
import type { Branch } from '../protocol/api/archive.ts';
import type { Event } from '../protocol/event.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import type { KnownPastSessions } from './known-past-sessions.ts';
import type { IndexThreads } from './threads/threads.ts';

/** Lines of a record fetched at once for merging. */
const LINES = 500;

/** The engine's access to past sessions: it adopts them, and merges what other programs write into their records. */
export function createPastSessionsPort(threads: IndexThreads, pastSessions: KnownPastSessions): PastSessionsPort {
  const readNow = async (agent: AgentId, agentSessionId: string): Promise<FoundPastSession | undefined> => {
    const read = await threads.askRecordsNow<PastSession | undefined>({ ask: 'readNow', agent, agentSessionId });
    // While the thread is down, what is known has to do: later lines of the record are merged when it is back.
    const session = read === undefined ? pastSessions.ofConversation(agent, agentSessionId) : read.answer;
    if (session !== undefined) pastSessions.put(session);
    return session && foundOf(session);
  };
  return {
    readNow,
    find: async (id) => {
      const known = await knownPast(threads, pastSessions, id);
      return known === undefined ? undefined : readNow(known.agent, known.agentSessionId);
    },
    newest: () => pastSessions.newest().map(foundOf),
    facts: (id) => pastSessions.get(id),
    events: (id, page) => eventsOf(threads, id, page),
    branchOf: (id, seq) => branchOf(threads, id, seq),
    adopted: (agent, agentSessionId, base) => threads.notifyRecords({ ask: 'adopted', agent, agentSessionId, base }),
    lines: (agent, agentSessionId, from) => linesOf(threads, agent, agentSessionId, from),
  };
}

/** Right after a start not all past sessions have been reported yet, so the archive is asked. */
export async function knownPast(threads: IndexThreads, pastSessions: KnownPastSessions, id: SessionId): Promise<PastSession | undefined> {
  const known = pastSessions.get(id);
  if (known !== undefined || !isArchivedId(id)) return known;
  const found = await threads.askReader<PastSession | undefined>({ ask: 'session', sessionId: id });
  if (found !== undefined) pastSessions.put(found);
  return found;
}

const eventsOf = (threads: IndexThreads, sessionId: SessionId, { branch, ...page }: PastEventsPage): Promise<readonly Event[]> =>
  threads.askReader({ ask: 'events', sessionId, page: { ...page, ...(branch !== undefined && { branch }) } });

async function branchOf(threads: IndexThreads, id: SessionId, seq: number): Promise<number | undefined> {
  const isOn = async (branch?: number) => (await eventsOf(threads, id, { after: seq - 1, limit: 1, branch }))[0]?.seq === seq;
  if (await isOn()) return undefined;
  const branches = await threads.askReader<readonly Branch[]>({ ask: 'branches', sessionId: id });
  for (const { branch, active } of branches) if (!active && (await isOn(branch))) return branch;
  return undefined;
}

const foundOf = ({ id, agent, agentSessionId, lastSeq, title, cwd, past }: PastSession): FoundPastSession => ({
  id,
  agent,
  agentSessionId,
  lastSeq,
  title,
  ...(cwd !== undefined && { cwd }),
  ...(past.gone && { gone: true }),
});

async function* linesOf(threads: IndexThreads, agent: AgentId, agentSessionId: string, from: RecordPosition): AsyncGenerator<RecordBatch> {
  let position = from;
  for (;;) {
    const read = await threads.askReader<RecordLines>({ ask: 'lines', agent, agentSessionId, from: position, limit: LINES });
    position = read.position;
    if (read.lines.length > 0) yield { lines: read.lines, position };
    if (!read.more) return;
  }
}

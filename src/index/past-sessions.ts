import { isArchivedId } from '../agents/archived-id.ts';
import type { PastSession, RecordLines } from '../archive/archive.ts';
import type { PastEventsPage, PastFound, PastPort, RecordBatch, RecordPlace } from '../archive/past-sessions-port.ts';
import type { Branch } from '../protocol/api/archive.ts';
import type { Event } from '../protocol/event.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import type { PastShelf } from './known-past-sessions.ts';
import type { LibraryThreads } from './threads/threads.ts';

/** Lines of a record that are fetched at once to be merged. */
const LINES = 500;

/** Past sessions as the engine takes them up, and goes on with what others write into their records. */
export function pastPortOver(threads: LibraryThreads, shelf: PastShelf): PastPort {
  const settle = async (agent: AgentId, agentSessionId: string): Promise<PastFound | undefined> => {
    const session = await threads.ask<PastSession | undefined>({ ask: 'settle', agent, agentSessionId });
    if (session !== undefined) shelf.put(session);
    return session && foundOf(session);
  };
  return {
    settle,
    find: async (id) => {
      const known = await knownPast(threads, shelf, id);
      return known === undefined ? undefined : settle(known.agent, known.agentSessionId);
    },
    facts: (id) => shelf.get(id),
    events: (id, page) => eventsOf(threads, id, page),
    wayOf: (id, seq) => wayOf(threads, id, seq),
    takenUp: (agent, agentSessionId, base) => threads.tell({ ask: 'takenUp', agent, agentSessionId, base }),
    lines: (agent, agentSessionId, from) => linesOf(threads, agent, agentSessionId, from),
  };
}

/** Right after a start not all past sessions have been told yet: the archive itself knows them. */
export async function knownPast(threads: LibraryThreads, shelf: PastShelf, id: SessionId): Promise<PastSession | undefined> {
  const known = shelf.get(id);
  if (known !== undefined || !isArchivedId(id)) return known;
  const found = await threads.read<PastSession | undefined>({ ask: 'session', sessionId: id });
  if (found !== undefined) shelf.put(found);
  return found;
}

const eventsOf = (threads: LibraryThreads, sessionId: SessionId, { way, ...page }: PastEventsPage): Promise<readonly Event[]> =>
  threads.read({ ask: 'events', sessionId, page: { ...page, ...(way !== undefined && { branch: way }) } });

async function wayOf(threads: LibraryThreads, id: SessionId, seq: number): Promise<number | undefined> {
  const isOn = async (way?: number) => (await eventsOf(threads, id, { after: seq - 1, limit: 1, way }))[0]?.seq === seq;
  if (await isOn()) return undefined;
  const branches = await threads.read<readonly Branch[]>({ ask: 'branches', sessionId: id });
  for (const { branch, active } of branches) if (!active && (await isOn(branch))) return branch;
  return undefined;
}

const foundOf = ({ id, agent, agentSessionId, lastSeq, title, cwd, past }: PastSession): PastFound => ({
  id,
  agent,
  agentSessionId,
  lastSeq,
  title,
  ...(cwd !== undefined && { cwd }),
  ...(past.gone && { gone: true }),
});

async function* linesOf(threads: LibraryThreads, agent: AgentId, agentSessionId: string, from: RecordPlace): AsyncGenerator<RecordBatch> {
  let place = from;
  for (;;) {
    const read = await threads.read<RecordLines>({ ask: 'lines', agent, agentSessionId, from: place, limit: LINES });
    place = read.place;
    if (read.lines.length > 0) yield { lines: read.lines, place };
    if (!read.more) return;
  }
}

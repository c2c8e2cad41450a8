import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentArchive, PastLine } from '../../../src/agents/port/archive.ts';
import { archivedIdOf } from '../../../src/agents/port/archived-id.ts';
import type { FoundPastSession, PastSessionsPort, RecordBatch, RecordLine, RecordPosition } from '../../../src/archive/past-sessions-port.ts';
import type { Event } from '../../../src/protocol/event.ts';
import type { AgentId, SessionId } from '../../../src/protocol/ids.ts';

/** Other programs' sessions, read from their files on each request. Event numbers come from that reading, and stay fixed once a session is adopted. */
export interface RecordsPort extends PastSessionsPort {
  readonly adoptions: { readonly agent: AgentId; readonly agentSessionId: string; readonly base: number }[];
  /** How many lines were delivered. */
  given: number;
  /** How many events were read. */
  read: number;
}

interface Numbered extends RecordLine {
  readonly end: number;
  /** The number of its last event. */
  readonly seq: number;
}

export function createRecordsPort(archives: ReadonlyMap<AgentId, AgentArchive>, env: () => Readonly<Record<string, string>>, batchLines = 50): RecordsPort {
  const adoptedRecords = new Map<string, { readonly lines: readonly Numbered[]; readonly base: number }>();
  const read = (agent: AgentId, id: string) => numbered(archives.get(agent), env(), id);
  const idsOf = (agent: AgentId) => [...new Set(filesOf(archives.get(agent), env()).map((file) => file.agentSessionId))];
  const conversations = () => [...archives.keys()].flatMap((agent) => idsOf(agent).map((agentSessionId) => ({ agent, agentSessionId })));
  const find = (id: SessionId) => conversations().find((one) => archivedIdOf(one.agent, one.agentSessionId) === id);
  const port: RecordsPort = {
    adoptions: [],
    given: 0,
    read: 0,
    readNow: async (agent, agentSessionId) => foundOf(agent, agentSessionId, read(agent, agentSessionId)),
    find: async (id) => {
      const known = find(id);
      return known && foundOf(known.agent, known.agentSessionId, read(known.agent, known.agentSessionId));
    },
    newest: () => conversations().flatMap(({ agent, agentSessionId }) => foundOf(agent, agentSessionId, read(agent, agentSessionId)) ?? []),
    facts: () => undefined,
    events: async (id, { after, before = Number.MAX_SAFE_INTEGER, limit, branch }) => {
      const known = find(id);
      const events = known === undefined ? [] : eventsOf(onBranch(read(known.agent, known.agentSessionId), branch)).filter((event) => event.seq < before);
      port.read += Math.min(events.length, limit);
      return after === undefined ? events.slice(-limit) : events.filter((event) => event.seq > after).slice(0, limit);
    },
    branchOf: async (id, seq) => {
      const known = find(id);
      const lines = known === undefined ? [] : read(known.agent, known.agentSessionId);
      return eventsOf(onBranch(lines)).some((event) => event.seq === seq) ? undefined : lines.find((line) => line.seq >= seq)?.seq;
    },
    adopted: (agent, agentSessionId, base) => {
      port.adoptions.push({ agent, agentSessionId, base });
      const key = `${agent} ${agentSessionId}`;
      if (!adoptedRecords.has(key)) adoptedRecords.set(key, { base, lines: read(agent, agentSessionId).filter((line) => line.seq <= base) });
    },
    async *lines(agent, agentSessionId, from) {
      const { lines: past = [] } = adoptedRecords.get(`${agent} ${agentSessionId}`) ?? {};
      const isPast = new Set(past.map(({ file, byte }) => `${file} ${byte}`));
      const lines = read(agent, agentSessionId).filter((line) => !isPast.has(`${line.file} ${line.byte}`));
      yield* batches(lines, from, batchLines, (count) => {
        port.given += count;
      });
    },
  };
  return port;
}

async function* batches(all: readonly Numbered[], from: RecordPosition, size: number, count: (lines: number) => void): AsyncGenerator<RecordBatch> {
  const sizes = new Map<string, number>();
  for (const { file, end } of all) sizes.set(file, Math.max(sizes.get(file) ?? 0, end));
  const startOf = (file: string) => ((from[file] ?? 0) > (sizes.get(file) ?? 0) ? 0 : (from[file] ?? 0));
  const due = all.filter((line) => line.byte >= startOf(line.file));
  const position: Record<string, number> = { ...from };
  for (let at = 0; at < due.length; at += size) {
    const lines = due.slice(at, at + size);
    for (const { file, end } of lines) position[file] = end;
    count(lines.length);
    await Promise.resolve();
    yield { lines, position: { ...position } };
  }
}

function foundOf(agent: AgentId, agentSessionId: string, lines: readonly Numbered[]): FoundPastSession | undefined {
  if (lines.length === 0) return undefined;
  const facts = lines.flatMap(({ line }) => line.facts ?? []);
  const title = facts.findLast((one) => one.named === true)?.title ?? facts.find((one) => one.title !== undefined)?.title;
  const cwd = facts.find((one) => one.cwd !== undefined)?.cwd;
  const id = archivedIdOf(agent, agentSessionId);
  return { id, agent, agentSessionId, lastSeq: lines.at(-1)?.seq ?? 0, ...(title !== undefined && { title }), ...(cwd !== undefined && { cwd }) };
}

/** The lines on the path to the one with this number, or to the last one. Lines outside the tree are on every branch. */
function onBranch(lines: readonly Numbered[], branch = Number.MAX_SAFE_INTEGER): readonly Numbered[] {
  const tree = new Map(lines.flatMap(({ line: { node } }) => (node === undefined ? [] : [[node.id, node.parent]])));
  const on = new Set<string>();
  let next: string | null | undefined = lines.findLast(({ seq, line }) => seq <= branch && line.node !== undefined)?.line.node?.id;
  for (; typeof next === 'string' && !on.has(next); next = tree.get(next)) on.add(next);
  return lines.filter(({ seq, line }) => seq <= branch && (line.node === undefined || on.has(line.node.id)));
}

function eventsOf(lines: readonly Numbered[]): readonly Event[] {
  return lines.flatMap(({ line, seq }) =>
    line.observations.map(
      ({ agentAt, rawImages: _, ...body }, index) => ({ ...body, seq: seq - line.observations.length + index + 1, at: agentAt ?? '' }) as Event,
    ),
  );
}

interface RecordFile {
  readonly path: string;
  readonly file: string;
  readonly agentSessionId: string;
  readonly part?: string;
  readonly companion?: string;
}

function filesOf(archive: AgentArchive | undefined, env: Readonly<Record<string, string>>): readonly RecordFile[] {
  return (archive?.roots(env) ?? []).filter(existsSync).flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).flatMap((file): RecordFile[] => {
      const kind = archive?.recordOf(file);
      if (kind?.kind !== 'lines') return [];
      const companion = kind.companion === undefined || !existsSync(join(root, kind.companion)) ? undefined : readFileSync(join(root, kind.companion), 'utf8');
      const { agentSessionId, part } = kind;
      return [{ path: join(root, file), file, agentSessionId, ...(part !== undefined && { part }), ...(companion !== undefined && { companion }) }];
    }),
  );
}

function numbered(archive: AgentArchive | undefined, env: Readonly<Record<string, string>>, agentSessionId: string): readonly Numbered[] {
  let seq = 0;
  return filesOf(archive, env)
    .filter((file) => file.agentSessionId === agentSessionId)
    .sort((a, b) => a.file.length - b.file.length)
    .flatMap((file) => linesOf(file, (text) => archive?.read(text, file.companion === undefined ? {} : { companion: file.companion }) ?? { observations: [] }))
    .map((line) => {
      seq += line.line.observations.length;
      return { ...line, seq };
    });
}

/** Complete lines only. */
function linesOf({ path, file, part }: RecordFile, read: (text: string) => PastLine): readonly Omit<Numbered, 'seq'>[] {
  let byte = 0;
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((text) => {
      const at = byte;
      byte += Buffer.byteLength(text) + 1;
      return { file, byte: at, end: byte, line: read(text), ...(part !== undefined && { part }) };
    });
}

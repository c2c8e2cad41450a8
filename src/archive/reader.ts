import type { AgentArchive, PastLine } from '../agents/port/archive.ts';
import { archivedIdOf } from '../agents/port/archived-id.ts';
import type { Branch } from '../protocol/api/archive.ts';
import type { RawLine } from '../protocol/api/raw.ts';
import type { Event } from '../protocol/event.ts';
import type { AgentId, SessionId } from '../protocol/ids.ts';
import type { ArchiveReader, PastBatch, PastPage, PastSession, RecordLines } from './archive.ts';
import { BlobHashes, shortHash } from './blob-hashes.ts';
import { contextFacts } from './facts.ts';
import { windowOf } from './page-window.ts';
import { isLost, pastSession } from './past-session.ts';
import type { ArchiveQueries } from './queries.ts';
import type { BranchState } from './records/branching.ts';
import { ForeignDatabase } from './records/foreign-database.ts';
import { nodeIdentity } from './records/identity.ts';
import { batchesOf, ForeignDatabases, loadLines } from './records/load-lines.ts';
import { bounded, rawLine } from './records/raw-lines.ts';
import { readRecordRange } from './records/read-record-range.ts';
import type { KeptCopies } from './records/record-bytes.ts';
import { RowReading } from './records/row-reading.ts';
import { isoOf, isoTime } from './records/times.ts';
import type { FileRow, LineRow, SessionRow } from './rows.ts';
import type { ArchivedAgent } from './sweeper.ts';

export interface ReaderParts {
  /** Undefined while there is no archive. */
  readonly queries: () => ArchiveQueries | undefined;
  readonly agents: readonly ArchivedAgent[];
  readonly copies?: KeptCopies;
  readonly close: () => void;
}

/** A session with everything needed to read its lines. */
interface Opened {
  readonly queries: ArchiveQueries;
  readonly row: SessionRow;
  readonly archive: AgentArchive;
  readonly files: ReadonlyMap<number, FileRow>;
  readonly lastSeq: number;
}

/** Reads past sessions from their records: archive.db says where each event is. */
export class Reader implements ArchiveReader {
  private readonly databases = new ForeignDatabases(ForeignDatabase.open);

  constructor(private readonly parts: ReaderParts) {}

  session(id: SessionId): PastSession | undefined {
    const queries = this.parts.queries();
    const row = queries?.session(id);
    return queries && row && queries.base(row.agent, row.agentSessionId) !== 0 ? pastSession(queries, row, this.parts.copies) : undefined;
  }

  *sessions(): Iterable<PastSession> {
    const queries = this.parts.queries();
    if (queries === undefined) return;
    for (const row of queries.sessions()) {
      if (queries.base(row.agent, row.agentSessionId) === 0 || isLost(queries.files(row.key), this.parts.copies)) continue;
      yield pastSession(queries, row, this.parts.copies);
    }
  }

  events(id: SessionId, page: PastPage): readonly Event[] {
    const session = this.open(id);
    if (session === undefined) return [];
    const { rows, isOn, limit, cut } = windowOf(session.queries, session.row, session.lastSeq, page);
    const events = this.read(session, rows).flatMap(({ events: all }) => all.filter(({ seq }) => isOn(seq)));
    return cut === 'first' ? events.slice(-limit) : events.slice(0, limit);
  }

  event(id: SessionId, seq: number): Event | undefined {
    const session = this.open(id);
    const line = session && seq <= session.lastSeq ? session.queries.lineOf(session.row.key, seq) : undefined;
    if (session === undefined || line === undefined) return undefined;
    return this.read(session, [line]).flatMap(({ events }) => events.filter((event) => event.seq === seq))[0];
  }

  batch(id: SessionId, after: number, limit: number): Pick<PastBatch, 'events' | 'spent'> {
    const session = this.open(id);
    if (session === undefined) return { events: [], spent: [] };
    const upTo = Math.min(session.lastSeq, after + limit);
    const isIn = ({ seq }: { readonly seq: number }): boolean => seq > after && seq <= upTo;
    const from = session.queries.lineOf(session.row.key, after + 1)?.seq ?? after + 1;
    const read = this.read(session, session.queries.linesFrom(session.row.key, from, limit));
    const onlyUsage = this.read(session, session.queries.spends(session.row.key, after, upTo));
    return { events: read.flatMap(({ events }) => events.filter(isIn)), spent: [...read, ...onlyUsage].flatMap(({ spent }) => spent.filter(isIn)) };
  }

  lines(agent: AgentId, agentSessionId: string, from: Readonly<Record<string, number>>, limit: number): RecordLines {
    const session = this.open(archivedIdOf(agent, agentSessionId));
    if (session === undefined) return { lines: [], position: from, more: false };
    const range = readRecordRange(
      [...session.files.values()],
      session.archive,
      this.sources(session),
      contextFacts(session.row.facts),
      afterNumberedLines(session, from),
      limit,
    );
    this.databases.close();
    return { ...range, lines: range.lines.filter(({ line }) => !isNumbered(session, line)) };
  }

  branches(id: SessionId): readonly Branch[] {
    const session = this.open(id);
    if (session === undefined) return [];
    const branches = [...session.queries.branches(session.row.key).values()];
    return branches.filter(({ branch, events }) => events > 0 || branch === session.row.active).map((branch) => toBranch(branch, session.row));
  }

  blob(sha256: string): Uint8Array | undefined {
    const queries = this.parts.queries();
    for (const { session, seq } of queries?.blobPlaces(shortHash(sha256)) ?? []) {
      const found = this.blobAt(queries?.sessionByKey(session), seq, sha256);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  raw(id: SessionId, page: PastPage): readonly RawLine[] {
    const session = this.open(id);
    if (session === undefined) return [];
    const { rows, cut, isOn } = windowOf(session.queries, session.row, session.lastSeq, page);
    // A line with several events is returned with the first one only.
    const shown = bounded(
      rows.filter(({ seq }) => isOn(seq)),
      cut,
      page.limit,
    );
    const raw = batchesOf(shown).flatMap((batch) => {
      const lines = loadLines([...batch], session.files, this.sources(session));
      return batch.map((row) => rawLine(row, lines.get(row)));
    });
    this.databases.close();
    return raw;
  }

  close(): void {
    this.databases.close();
    this.parts.close();
  }

  private open(id: SessionId): Opened | undefined {
    const queries = this.parts.queries();
    const row = queries?.session(id);
    const archive = this.parts.agents.find((agent) => agent.id === row?.agent)?.archive;
    if (queries === undefined || row === undefined || archive === undefined) return undefined;
    const lastSeq = Math.min(row.lastSeq, queries.base(row.agent, row.agentSessionId) ?? row.lastSeq);
    return { queries, row, archive, files: new Map(queries.files(row.key).map((file) => [file.key, file])), lastSeq };
  }

  private read(session: Opened, rows: readonly LineRow[], sink?: BlobHashes) {
    const reading = new RowReading(session.queries, session.row, session.archive, session.files, sink ?? new BlobHashes());
    const read = batchesOf(rows).flatMap((batch) => {
      const lines = loadLines(batch, session.files, this.sources(session));
      return batch.map((row) => reading.read(row, lines.get(row)));
    });
    this.databases.close();
    return read;
  }

  private blobAt(row: SessionRow | undefined, seq: number, sha256: string): Buffer | undefined {
    const session = row && this.open(row.id);
    const line = session?.queries.lineOf(session.row.key, seq);
    if (session === undefined || line === undefined) return undefined;
    const sink = new BlobHashes(sha256);
    this.read(session, [line], sink);
    return sink.found;
  }

  private sources({ row, archive }: Opened) {
    const database = (file: FileRow): ForeignDatabase | undefined => {
      const kind = archive.recordOf(file.path.slice(file.root.length + 1));
      return kind?.kind === 'database' ? this.databases.at(file.path, kind) : undefined;
    };
    return { ...(this.parts.copies && { copies: this.parts.copies }), database, agentSessionId: row.agentSessionId };
  }
}

const toBranch = ({ branch, from, lastSeq, at, events, title }: BranchState, session: SessionRow): Branch => ({
  branch,
  lastSeq,
  at: at === undefined ? (isoTime(session.facts.updatedAt) ?? isoOf(0)) : isoOf(at),
  ...(from && { from }),
  events,
  title: title ?? '',
  active: branch === session.active,
});

/** By default, continues after the numbered lines. */
function afterNumberedLines({ queries, row, files, lastSeq }: Opened, from: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const ends = [...files.values()].map((file) => [file.path, queries.numberedEnd(row.key, file.key, lastSeq)] as const);
  return { ...Object.fromEntries(ends), ...from };
}

/** A restored or rewritten file is read from its start: numbered lines are known. */
function isNumbered({ queries, row, lastSeq }: Opened, { node }: PastLine): boolean {
  const known = node === undefined ? undefined : queries.identity(row.key, nodeIdentity(node.id));
  return known !== undefined && known.given > 0 && known.seq <= lastSeq;
}

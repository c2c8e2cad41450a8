import type { AgentArchive, PastLine, RecordContext } from '../../agents/port/archive.ts';
import type { Event } from '../../protocol/event.ts';
import type { Spent } from '../archive.ts';
import type { BlobHashes } from '../blob-hashes.ts';
import { contextFacts } from '../facts.ts';
import type { ArchiveQueries } from '../queries.ts';
import type { FileRow, LineRow, SessionRow } from '../rows.ts';
import { nodeIdentity, ownTime, textIdentity } from './identity.ts';
import { eventsOf, readLine, spentOf, tombstoneEvent } from './line-events.ts';
import type { LoadedLine } from './load-lines.ts';
import { contextOf } from './open-lines.ts';
import { isoOf, isoTime } from './times.ts';

export interface ReadRow {
  readonly events: readonly Event[];
  readonly spent: readonly Spent[];
}

/** Builds the events of numbered lines again. */
export class RowReading {
  private readonly contexts = new Map<number, RecordContext>();
  /** The time of the previous event, for an event that is gone. */
  private lastAt: string;

  constructor(
    private readonly queries: ArchiveQueries,
    private readonly session: SessionRow,
    private readonly archive: AgentArchive,
    private readonly files: ReadonlyMap<number, FileRow>,
    private readonly sink: BlobHashes,
  ) {
    this.lastAt = isoTime(session.facts.createdAt ?? session.facts.updatedAt) ?? isoOf(0);
  }

  read(row: LineRow, loaded: LoadedLine | undefined): ReadRow {
    const file = this.files.get(row.file);
    if (file === undefined || loaded === undefined) return this.gone(row);
    const line = readLine(this.archive, loaded, this.contextOf(file), row.place);
    const time = ownTime(line);
    if (loaded.isNumbered !== true && !this.isThisLine(row, line, loaded.text, time)) return this.gone(row);
    const at = time ?? row.at ?? 0;
    const position = { seq: row.seq, at, isGuess: time === undefined, file: file.path, place: row.place, bytes: row.bytes };
    const events = eventsOf(line, line.observations.slice(row.skip, row.skip + row.events), position, this.sink);
    this.lastAt = events.at(-1)?.at ?? this.lastAt;
    const spent = row.skip > 0 ? [] : spentOf(line, at, row.seq + Math.max(1, row.events) - 1);
    return { events: [...events, ...this.gone(row, events.length).events], spent };
  }

  private gone(row: LineRow, from = 0): ReadRow {
    const missing = Array.from({ length: Math.max(0, row.events - from) }, (_, index) => tombstoneEvent(row.seq + from + index, this.lastAt));
    return { events: missing, spent: [] };
  }

  /** The numbered file may just have been replaced. */
  private isThisLine(row: LineRow, line: PastLine, text: string, time: number | undefined): boolean {
    if (line.node === undefined && time === undefined) return true;
    const identity = line.node === undefined ? textIdentity(text) : nodeIdentity(line.node.id);
    const known = this.queries.identity(this.session.key, identity);
    return known !== undefined && (row.skip > 0 || row.events === 0 || known.seq === row.seq);
  }

  private contextOf(file: FileRow): RecordContext {
    const known = this.contexts.get(file.key);
    if (known !== undefined) return known;
    const context = { ...contextOf(file), facts: contextFacts(this.session.facts) };
    this.contexts.set(file.key, context);
    return context;
  }
}

import { LIMITS } from '../../protocol/limits.ts';
import type { FileRow, LineRow } from '../rows.ts';
import { describeError } from './describe-error.ts';
import { DatabaseChanged, type DatabaseKind, type ForeignDatabase, type NumberedLine } from './foreign-database.ts';
import { HEAD_BYTES } from './line-cursor.ts';
import { fileBytes, type KeptCopies, type RecordBytes } from './record-bytes.ts';
import { isSame } from './record-mark.ts';

/** Lines that are no further apart are read together with the bytes between them. */
const GAP_BYTES = 64 * 1024;

/** How much text of lines is kept in memory at once; always at least one line. */
export const HELD_BYTES = 8 * 1024 * 1024;

/** For fewer lines, checking the record takes longer than checking each line. */
const MANY = 8;

export interface LoadedLine {
  readonly text: string;
  readonly isCut?: boolean;
  readonly problem?: string;
  /** Its record was verified to be the one that was numbered. */
  readonly isNumbered?: boolean;
}

export interface LineSources {
  readonly copies?: KeptCopies;
  database(file: FileRow): ForeignDatabase | undefined;
  /** The conversation, for a database. */
  readonly agentSessionId: string;
}

type Lines = readonly LineRow[];

/** Splits lines into batches that fit in memory. */
export function batchesOf(rows: Lines): readonly Lines[] {
  const batches: LineRow[][] = [];
  let size = 0;
  for (const row of rows) {
    const bytes = row.bytes > LIMITS.agentLineBytes ? HEAD_BYTES : row.bytes;
    const batch = batches.at(-1);
    if (batch !== undefined && size + bytes <= HELD_BYTES) batch.push(row);
    else batches.push([row]);
    size = batches.at(-1) === batch ? size + bytes : bytes;
  }
  return batches;
}

/** The text of lines, with few reads; lines that are in neither the record nor its copy are left out. */
export function loadLines(rows: Lines, files: ReadonlyMap<number, FileRow>, sources: LineSources): ReadonlyMap<LineRow, LoadedLine> {
  const loaded = new Map<LineRow, LoadedLine>();
  const byFile = new Map<number, LineRow[]>();
  for (const row of rows) byFile.set(row.file, [...(byFile.get(row.file) ?? []), row]);
  for (const [key, lines] of byFile) {
    const file = files.get(key);
    if (file !== undefined)
      loadFrom(
        file,
        lines.sort((a, b) => a.place - b.place),
        sources,
        loaded,
      );
  }
  return loaded;
}

/** An unreadable record becomes a problem on each of its lines. */
function loadFrom(file: FileRow, rows: Lines, sources: LineSources, into: Map<LineRow, LoadedLine>): void {
  try {
    load(file, rows, sources, into);
  } catch (error) {
    const problem = `The record can’t be read: ${describeError(error)}`;
    for (const row of rows) if (!into.has(row)) into.set(row, { text: file.path, problem });
  }
}

function load(file: FileRow, rows: Lines, sources: LineSources, into: Map<LineRow, LoadedLine>): void {
  if (file.isDatabase) return loadRows(file, rows, sources, into);
  const bytes = bytesOf(file, sources.copies);
  if (bytes === undefined) return;
  try {
    const numbered = rows.length >= MANY && isSame(bytes, file.offset, file.mark) ? file.offset : 0;
    for (const range of rangesOf(rows)) loadRange(bytes, range, numbered, into);
  } finally {
    bytes.close();
  }
}

/** The agent's own file, or else its kept copy. */
export function bytesOf(file: FileRow, copies: KeptCopies | undefined): RecordBytes | undefined {
  try {
    return file.isGone ? copies?.open(file) : fileBytes(file.path);
  } catch {
    return copies?.open(file);
  }
}

function rangesOf(rows: Lines): readonly Lines[] {
  const ranges: LineRow[][] = [];
  for (const row of rows) {
    const range = ranges.at(-1);
    const [first, last] = [range?.[0], range?.at(-1)];
    const isNear = first !== undefined && last !== undefined && row.place - (last.place + last.bytes) <= GAP_BYTES;
    if (range !== undefined && isNear && row.place + row.bytes - first.place <= HELD_BYTES) range.push(row);
    else ranges.push([row]);
  }
  return ranges;
}

/** Lines that end within the first `numbered` bytes are known to be unchanged. */
function loadRange(bytes: RecordBytes, rows: Lines, numbered: number, into: Map<LineRow, LoadedLine>): void {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return;
  if (first.bytes > LIMITS.agentLineBytes) {
    into.set(first, { text: bytes.read(first.place, first.place + HEAD_BYTES).toString('utf8'), isCut: true });
    return;
  }
  const piece = bytes.read(first.place, last.place + last.bytes);
  for (const row of rows) {
    const start = row.place - first.place;
    if (start + row.bytes <= piece.length)
      into.set(row, { text: piece.toString('utf8', start, start + row.bytes), isNumbered: row.place + row.bytes <= numbered });
  }
}

function loadRows(file: FileRow, rows: Lines, sources: LineSources, into: Map<LineRow, LoadedLine>): void {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return;
  const found = rowsOf(file, sources, first.place - 1, last.place - first.place + 1);
  const lines = new Map(found.map(({ row, ...line }) => [row, line]));
  for (const row of rows) {
    const line = lines.get(row.place);
    if (line !== undefined) into.set(row, line);
  }
}

/** A database that was written in the meantime is opened again. */
function rowsOf(file: FileRow, sources: LineSources, after: number, limit: number, tries = 3): readonly NumberedLine[] {
  try {
    return sources.database(file)?.rows(sources.agentSessionId, after, limit) ?? [];
  } catch (error) {
    if (!(error instanceof DatabaseChanged) || tries === 1) throw error;
    return rowsOf(file, sources, after, limit, tries - 1);
  }
}

/** The databases a reader has open. */
export class ForeignDatabases {
  private readonly opened = new Map<string, ForeignDatabase>();

  constructor(private readonly open: (path: string, kind: DatabaseKind) => ForeignDatabase) {}

  at(path: string, kind: DatabaseKind): ForeignDatabase | undefined {
    const opened = this.opened.get(path);
    if (opened !== undefined && !opened.isOutdated()) return opened;
    opened?.close();
    this.opened.delete(path);
    try {
      const database = this.open(path, kind);
      this.opened.set(path, database);
      return database;
    } catch {
      return undefined;
    }
  }

  close(): void {
    for (const database of this.opened.values()) database.close();
    this.opened.clear();
  }
}

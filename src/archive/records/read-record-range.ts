import type { PastFacts } from '../../agents/port/adapter.ts';
import type { AgentArchive } from '../../agents/port/archive.ts';
import type { RecordLines } from '../archive.ts';
import type { FileRow } from '../rows.ts';
import { FileReading, type Lines } from './file-reading.ts';
import { NEWLINE } from './line-cursor.ts';
import { timed } from './line-events.ts';
import { bytesOf, HELD_BYTES, type LineSources } from './load-lines.ts';
import { contextOf, linesOf } from './open-lines.ts';
import type { RecordBytes } from './record-bytes.ts';
import { RowLines } from './row-lines.ts';

/** Continues reading a record from a position, numbered or not: all its files merged by time. */
export function readRecordRange(
  files: readonly FileRow[],
  archive: AgentArchive,
  sources: LineSources,
  facts: PastFacts,
  from: Readonly<Record<string, number>>,
  limit: number,
): RecordLines {
  const readings = files.filter((file) => !file.isGone).flatMap((file) => open(file, archive, sources, facts, from[file.path] ?? 0) ?? []);
  try {
    return read(readings, from, limit);
  } finally {
    for (const reading of readings) reading.close();
  }
}

function read(readings: readonly FileReading[], from: Readonly<Record<string, number>>, limit: number): RecordLines {
  const lines: RecordLines['lines'][number][] = [];
  const position: Record<string, number> = { ...from };
  let chars = 0;
  while (lines.length < limit && chars < HELD_BYTES) {
    const reading = earliest(readings);
    const line = reading?.peek();
    if (reading === undefined || line === undefined) break;
    reading.take(line);
    chars += line.text.length;
    const { path, part } = reading.file;
    position[path] = line.next;
    lines.push({ file: path, byte: line.place, ...(part !== undefined && { part }), line: timed(line.past) });
  }
  return { lines, position, more: earliest(readings) !== undefined };
}

function open(file: FileRow, archive: AgentArchive, sources: LineSources, facts: PastFacts, from: number): FileReading | undefined {
  const { lastAt: _, ...row } = file;
  const context = { ...contextOf(file), facts };
  if (file.isDatabase) return new FileReading(row, rowsFrom(file, sources, from), archive, () => context, false);
  const bytes = bytesOf(file, undefined);
  if (bytes === undefined) return undefined;
  return new FileReading(row, linesOf(bytes, isLineEnd(bytes, from) ? from : 0), archive, () => context, false);
}

/** A file that is shorter, or has no line end there, is not the one the caller has read. */
function isLineEnd(bytes: RecordBytes, at: number): boolean {
  if (at === 0 || at === bytes.size) return true;
  return at < bytes.size && bytes.read(at - 1, at + 1).includes(NEWLINE);
}

function rowsFrom(file: FileRow, sources: LineSources, from: number): Lines {
  return new RowLines((after, limit) => sources.database(file)?.rows(sources.agentSessionId, after, limit) ?? [], from);
}

/** The file whose next line was written first. */
export function earliest(readings: readonly FileReading[]): FileReading | undefined {
  let first: FileReading | undefined;
  for (const reading of readings) if (reading.peek() !== undefined && (first === undefined || reading.time() < first.time())) first = reading;
  return first;
}

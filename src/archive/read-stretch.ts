import type { PastFacts } from '../agents/adapter.ts';
import type { AgentArchive } from '../agents/archive.ts';
import type { RecordLines } from './archive.ts';
import { FileReading, type Lines } from './file-reading.ts';
import { toRecordLine } from './foreign-database.ts';
import { bytesOf, type LineSources } from './load-lines.ts';
import { NO_MARK } from './mark.ts';
import { contextOf, linesOf } from './open-lines.ts';
import type { FileRow } from './rows.ts';

/** Reads on in a record from where somebody was, numbered or not: all its files in the order of their times. */
export function readStretch(
  files: readonly FileRow[],
  archive: AgentArchive,
  sources: LineSources,
  facts: PastFacts,
  from: Readonly<Record<string, number>>,
  limit: number,
): RecordLines {
  const readings = files.filter((file) => !file.isGone).flatMap((file) => open(file, archive, sources, facts, from[file.path] ?? 0, limit) ?? []);
  try {
    return read(readings, from, limit);
  } finally {
    for (const reading of readings) reading.close();
  }
}

function read(readings: readonly FileReading[], from: Readonly<Record<string, number>>, limit: number): RecordLines {
  const lines: RecordLines['lines'][number][] = [];
  const place: Record<string, number> = { ...from };
  while (lines.length < limit) {
    const reading = earliest(readings);
    const line = reading?.peek();
    if (reading === undefined || line === undefined) break;
    reading.take(line);
    const { path, part } = reading.file;
    place[path] = line.next;
    lines.push({ file: path, byte: line.place, ...(part !== undefined && { part }), line: line.past });
  }
  return { lines, place, more: earliest(readings) !== undefined };
}

function open(file: FileRow, archive: AgentArchive, sources: LineSources, facts: PastFacts, from: number, limit: number): FileReading | undefined {
  const { lastAt: _, ...row } = file;
  const context = { ...contextOf(file), facts };
  if (file.isDatabase) return new FileReading(row, rowsFrom(file, sources, from, limit), archive, () => context, false);
  const bytes = bytesOf(file, undefined);
  if (bytes === undefined) return undefined;
  // A shorter file is another one than whoever asks has read.
  return new FileReading(row, linesOf(bytes, from > bytes.size ? 0 : from), archive, () => context, false);
}

function rowsFrom(file: FileRow, sources: LineSources, from: number, limit: number): Lines {
  const found = sources.database(file)?.rows(sources.agentSessionId, from, limit + 1) ?? [];
  const lines = found.map(toRecordLine);
  return { next: () => lines.shift(), rest: () => undefined, mark: () => NO_MARK, close: () => undefined };
}

/** The file whose next line was written first. */
export function earliest(readings: readonly FileReading[]): FileReading | undefined {
  let first: FileReading | undefined;
  for (const reading of readings) if (reading.peek() !== undefined && (first === undefined || reading.time() < first.time())) first = reading;
  return first;
}

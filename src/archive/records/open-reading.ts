import type { AgentArchive, RecordContext } from '../../agents/port/archive.ts';
import { contextFacts } from '../facts.ts';
import { existingFiles, type KnownFile, type KnownRecords, type KnownSession } from '../known-records.ts';
import type { SessionRow } from '../rows.ts';
import type { ArchiveStore } from '../store.ts';
import type { Databases } from './agent-databases.ts';
import { FileReading } from './file-reading.ts';
import { contextOf, linesOf } from './open-lines.ts';
import { fileBytes } from './record-bytes.ts';
import { isSame } from './record-mark.ts';
import { SessionReading } from './session-reading.ts';

/** Small, because many parts are open at once. */
const PART_CHUNK_BYTES = 32 * 1024;

/** Opens every due file of a session; undefined if none can be read. */
export function openReading(
  store: ArchiveStore,
  records: KnownRecords,
  databases: Databases,
  session: KnownSession,
  archive: AgentArchive,
  /** It is adopted: no line gets a new number. */
  isOnlyMoved: boolean,
  failed: (file: KnownFile, error: unknown) => void,
): SessionReading | undefined {
  const each = <T>(work: (file: KnownFile) => T): readonly T[] =>
    existingFiles(session).flatMap((file) => {
      try {
        return file.isDue ? [work(file)] : [];
      } catch (error) {
        failed(file, error);
        return [];
      }
    });
  // A replaced file makes others due from their start, so all are checked before any is read.
  each((file) => checkFile(records, file, archive.version));
  const opened = each((file) => openFile(databases, file, archive));
  if (opened.length === 0) return undefined;
  return new SessionReading(
    store,
    session.row,
    opened,
    session.files.some(({ row }) => row.isGone),
    isOnlyMoved,
  );
}

/** Lines read by another version of the adapter are read again; a replaced file gets its own number. */
function checkFile(records: KnownRecords, file: KnownFile, version: number): void {
  if (!file.row.isDatabase && file.row.offset > 0 && !isSameFile(file)) return void records.replace(file, file.row);
  if (file.row.version !== version && file.row.offset > 0) records.readAgain(file);
}

function isSameFile({ row }: KnownFile): boolean {
  const bytes = fileBytes(row.path);
  try {
    return isSame(bytes, row.offset, row.mark);
  } finally {
    bytes.close();
  }
}

function openFile(databases: Databases, { row, session, half }: KnownFile, archive: AgentArchive): FileReading {
  row.version = archive.version;
  const companion = contextOf(row);
  const context = contextWith(companion, session.row);
  if (row.isDatabase) return new FileReading(row, databases.lines(row, session.row.agentSessionId), archive, context, false);
  const bytes = fileBytes(row.path);
  // More may have been written since the sweep: it is read now.
  row.size = bytes.size;
  const lines = linesOf(bytes, row.offset, row.part === undefined ? undefined : PART_CHUNK_BYTES);
  return new FileReading(row, lines, archive, context, half?.is === 'tried');
}

/** Reused for as long as the facts stay the same. */
function contextWith(companion: RecordContext, row: SessionRow): () => RecordContext {
  let context: RecordContext = { ...companion, facts: contextFacts(row.facts) };
  return () => {
    const { cwd, model } = row.facts;
    if (cwd !== context.facts?.cwd || model !== context.facts?.model) context = { ...companion, facts: contextFacts(row.facts) };
    return context;
  };
}

import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decompress } from 'fzstd';
import type { RecordKind } from '../../agents/port/archive.ts';
import { type Database, openDatabase, openForeign, type Row } from '../../journal/sqlite-driver.ts';
import type { RecordLine } from './line-cursor.ts';

export type DatabaseKind = Extract<RecordKind, { kind: 'database' }>;

export interface Conversation {
  readonly id: string;
  readonly lastRow: number;
}

export interface NumberedLine {
  readonly row: number;
  readonly text: string;
  /** Why the row can't be read. */
  readonly problem?: string;
}

/** A row as a line of a record. */
export const toRecordLine = ({ row, ...line }: NumberedLine): RecordLine => ({ ...line, place: row, bytes: line.text.length, next: row });

/**
 * Another program's database, read-only. SQLite can't read a log without its shared-memory file, and would create one. So
 * a database that nobody has open is read as immutable, and one that a program left behind with a log is copied first.
 */
export class ForeignDatabase {
  private constructor(
    private readonly path: string,
    private readonly kind: DatabaseKind,
    private readonly db: Database,
    private readonly opened: string,
    private readonly isStill: boolean,
    private readonly scratch?: string,
  ) {}

  static open(path: string, kind: DatabaseKind): ForeignDatabase {
    const opened = databaseStamp(path);
    if (sizeOf(`${path}-wal`) === 0) return new ForeignDatabase(path, kind, openForeign(path, 'still'), opened, true);
    if (sizeOf(`${path}-shm`) > 0) return new ForeignDatabase(path, kind, openForeign(path, 'shared'), opened, false);
    const scratch = mkdtempSync(join(tmpdir(), 'signalbox-'));
    const copy = join(scratch, 'copy.sqlite');
    for (const end of ['', '-wal']) copyFileSync(path + end, copy + end);
    return new ForeignDatabase(path, kind, openDatabase(copy), opened, false, scratch);
  }

  conversations(): readonly Conversation[] {
    return this.reading(() => this.db.prepare(this.kind.conversations).all().flatMap(toConversation));
  }

  /** Rows of a conversation above `after`. */
  rows(conversation: string, after: number, limit: number): readonly NumberedLine[] {
    return this.reading(() => this.db.prepare(this.kind.rows).all(conversation, after, limit).flatMap(toNumberedLine));
  }

  /** It was written in the meantime: a read without locks can't be trusted then. */
  isOutdated(): boolean {
    return this.isStill && databaseStamp(this.path) !== this.opened;
  }

  close(): void {
    this.db.close();
    if (this.scratch !== undefined) rmSync(this.scratch, { recursive: true, force: true });
  }

  private reading<T>(work: () => T): T {
    const result = work();
    if (this.isOutdated()) throw new DatabaseChanged(`${this.path} was written while it was read. It is read again at the next scan.`);
    return result;
  }
}

export class DatabaseChanged extends Error {
  override readonly name = 'DatabaseChanged';
}

/** Changes with every write: size and time of the file and its logs. */
export const databaseStamp = (path: string): string => ['', '-wal', '-journal'].map((end) => stampOf(path + end)).join(' ');

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '-' : `${stat.ino}:${stat.size}:${stat.mtimeMs}`;
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const toConversation = ({ id, lastRow }: Row): readonly Conversation[] => (typeof id !== 'string' || typeof lastRow !== 'number' ? [] : [{ id, lastRow }]);

function toNumberedLine(row: Row): readonly NumberedLine[] {
  const { row: number, line, packed } = row;
  if (typeof number !== 'number') return [];
  if (typeof line === 'string') return [{ row: number, text: line }];
  return packed instanceof Uint8Array ? [unpacked(number, packed)] : [];
}

/** One damaged row leaves the others readable. */
function unpacked(row: number, packed: Uint8Array): NumberedLine {
  try {
    return { row, text: unpack(packed) };
  } catch (error) {
    const text = `Row ${row}, ${packed.length} bytes`;
    return { row, text, problem: `The row could not be decompressed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Decompresses zstd, which Node 20 can't do by itself. */
export const unpack = (packed: Uint8Array): string => Buffer.from(decompress(packed)).toString('utf8');

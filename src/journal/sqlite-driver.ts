import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Photostructure from '@photostructure/sqlite';

/** The few SQLite calls we use; both Node's own module and the package for Node 20 have them. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  run(...values: readonly SqlValue[]): { readonly changes: number | bigint };
  get(...values: readonly SqlValue[]): Row | undefined;
  all(...values: readonly SqlValue[]): readonly Row[];
}

export type SqlValue = null | number | string | Uint8Array;
export type Row = Readonly<Record<string, SqlValue>>;

interface SqliteModule {
  readonly DatabaseSync: new (path: string, options?: { readonly timeout?: number; readonly readOnly?: boolean }) => Database;
  readonly backup: (source: Database, path: string, options?: { readonly rate?: number }) => Promise<unknown>;
}

/** Opens a database file in WAL mode, readable by its owner only (SQLite gives -wal and -shm the mode of the file itself). */
export function openDatabase(path: string): Database {
  // Never touched if it exists: closing any descriptor of a file drops the locks that SQLite has on it in this process.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  const db = new (sqlite().DatabaseSync)(path, { timeout: 5_000 });
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF');
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** Opens one of our databases while another connection writes to it. */
export function openReadOnly(path: string): Database {
  return new (sqlite().DatabaseSync)(path, { timeout: 5_000, readOnly: true });
}

/**
 * Opens another program's database without leaving a trace next to it. `still`: nobody has it open, so only its file is read, without locks.
 * `shared`: its log and shared-memory file exist and are used as they are; without `readonly_shm` SQLite would create them.
 */
export function openForeign(path: string, how: 'still' | 'shared'): Database {
  const uri = `file:${path.split('/').map(encodeURIComponent).join('/')}?${how === 'still' ? 'immutable=1' : 'mode=ro&readonly_shm=1'}`;
  return new (sqlite().DatabaseSync)(uri, { timeout: 2_000, readOnly: true });
}

/**
 * Moves the whole log into the file, then closes. @photostructure/sqlite 1.2.1 has no way to finalize prepared statements, so SQLite
 * keeps the connection until they are garbage-collected, and would leave the log untouched until then.
 */
export function closeDatabase(db: Database): void {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

/** A shorter log is not worth a sync. */
const LONG_LOG_BYTES = 256 * 1024;

/** For a writer that is idle after a lot of work: a long log is moved into the file and truncated, and memory is released. */
export function compactDatabase(db: Database, path: string): void {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (log > LONG_LOG_BYTES) db.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA shrink_memory');
}

/** Copies a database while it is in use. */
export async function copyDatabase(source: Database, path: string): Promise<void> {
  closeSync(openSync(path, 'w', 0o600));
  await sqlite().backup(source, path, { rate: 256 });
}

/** Runs `work` in one transaction: all or nothing. */
export function transactions(db: Database): <T>(work: () => T) => T {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  return (work) => {
    begin.run();
    try {
      const result = work();
      commit.run();
      return result;
    } catch (error) {
      rollBack(db);
      throw error;
    }
  };
}

/** After some errors (a full disk) SQLite has already rolled back by itself, and refuses this. */
function rollBack(db: Database): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    return;
  }
}

export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw new Unreadable(`column ${column} holds no text`);
  return value;
}

export function intOf(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw new Unreadable(`column ${column} holds no number`);
  return value;
}

export function bytesOf(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw new Unreadable(`column ${column} holds no bytes`);
  return value;
}

export function jsonOf(row: Row, column: string): unknown {
  const text = textOf(row, column);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Unreadable(`column ${column} holds broken JSON`, { cause: error });
  }
}

/** A row contains something we never wrote. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

export const SQLITE = { readOnly: 8, ioError: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 } as const;

// @photostructure/sqlite 1.2.1 gives the code on opening and `exec`, but from a statement's step only SQLite's own message.
const WORDS: readonly (readonly [string, number])[] = [
  ['attempt to write a readonly database', SQLITE.readOnly],
  ['disk I/O error', SQLITE.ioError],
  ['database disk image is malformed', SQLITE.corrupt],
  ['database or disk is full', SQLITE.full],
  ['unable to open database file', SQLITE.cannotOpen],
  ['file is not a database', SQLITE.notADatabase],
];

/** SQLite's primary result code, if this is an error from SQLite. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return undefined;
  if ('errcode' in error && typeof error.errcode === 'number') return error.errcode & 0xff;
  return WORDS.find(([words]) => error.message.includes(words))?.[1];
}

let loaded: SqliteModule | undefined;

function sqlite(): SqliteModule {
  loaded ??= builtin() ?? packaged();
  return loaded;
}

/** Node 22.16 and later; before that the module lacks `backup`. */
function builtin(): SqliteModule | undefined {
  const found: unknown = process.getBuiltinModule?.('node:' + 'sqlite');
  if (typeof found !== 'object' || found === null || !('backup' in found)) return undefined;
  return found as SqliteModule;
}

function packaged(): SqliteModule {
  const found: typeof Photostructure = createRequire(import.meta.url)('@photostructure/sqlite');
  return found as unknown as SqliteModule;
}

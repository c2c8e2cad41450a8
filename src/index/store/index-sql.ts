import { createHash } from 'node:crypto';
import { type Database, intOf, openDatabase } from '../../journal/sqlite-driver.ts';
import { removeDatabase } from '../list/session-table.ts';
import type { IndexPart } from './index-part.ts';

/** Raise it with every change of the tables below, or of how parts are fed. */
const VERSION = 1;

const SCHEMA = `
  CREATE TABLE sessions (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    title TEXT NOT NULL,
    project TEXT NOT NULL,
    project_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    parent TEXT,
    -- 0: its folder; 1: its first prompt; 2: a name that was given.
    titled INTEGER NOT NULL DEFAULT 2,
    past_cursor INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE cursor (position INTEGER NOT NULL);
  INSERT INTO cursor VALUES (0);
`;

/** Opens library.db for writing. A database of another version is deleted: everything in it can be folded again. */
export function openToWrite(path: string, parts: readonly IndexPart[]): Database {
  const db = openDatabase(path);
  // Merges of the index revisit the same pages: they fit in 8 MB, and the log is checkpointed every 64 MB.
  db.exec('PRAGMA cache_size = -8000; PRAGMA wal_autocheckpoint = 8000');
  const [found, wanted] = [versionIn(db), versionOf(parts)];
  if (found === wanted) return db;
  if (found !== 0) {
    db.close();
    removeDatabase(path);
    return openToWrite(path, parts);
  }
  // Lets free pages be released in short steps; must be set before the first table.
  db.exec('PRAGMA journal_mode = DELETE; PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL; VACUUM; PRAGMA journal_mode = WAL');
  const schemas = [SCHEMA, ...parts.map((part) => part.schema)].join(';');
  db.exec(`BEGIN IMMEDIATE; ${schemas}; PRAGMA user_version = ${wanted}; COMMIT`);
  return db;
}

/** One number for the versions of all parts, never 0. */
export function versionOf(parts: readonly IndexPart[]): number {
  const names = parts.map((part) => `${part.name} ${part.version} ${part.schema}`);
  const hash = createHash('sha256').update([VERSION, SCHEMA, ...names].join('\n'));
  return hash.digest().readUInt32BE(0) & 0x7fff_ffff || 1;
}

export function versionIn(db: Database): number {
  const row = db.prepare('PRAGMA user_version').get();
  return row ? intOf(row, 'user_version') : 0;
}

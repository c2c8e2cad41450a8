import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { closeDatabase, type Database, openDatabase, SQLITE, sqliteCode, transactions } from '../../journal/sqlite-driver.ts';
import { type KeptIndex, keptIndex } from './kept-index.ts';
import { migrateKept } from './schema.ts';
import { openSegments, type Segments } from './segments.ts';

/** The folder of the copies, opened for writing. */
export interface Store {
  readonly index: KeptIndex;
  readonly segments: Segments;
  readonly segmentsFolder: string;
  transaction<T>(work: () => T): T;
  /** Existing copies could not be used and were moved aside; a message for people. */
  readonly problem?: string;
  close(): void;
}

export const keptFolder = (dataDir: string): string => join(dataDir, 'kept');
export const keptDatabase = (dataDir: string): string => join(keptFolder(dataDir), 'kept.db');
export const segmentsFolder = (dataDir: string): string => join(keptFolder(dataDir), 'segments');

export function openStore(dataDir: string): Store {
  const lost = isIndexMissing(dataDir) ? setAside(dataDir, 'its index kept.db is missing') : undefined;
  try {
    return storeOf(dataDir, open(dataDir), lost);
  } catch (error) {
    const code = sqliteCode(error);
    if (code !== SQLITE.corrupt && code !== SQLITE.notADatabase) throw error;
    const problem = setAside(dataDir, 'its index kept.db is damaged');
    return storeOf(dataDir, open(dataDir), problem);
  }
}

/** A new index would treat all segments as garbage. */
function isIndexMissing(dataDir: string): boolean {
  return existsSync(segmentsFolder(dataDir)) && !existsSync(keptDatabase(dataDir)) && readdirSync(segmentsFolder(dataDir)).length > 0;
}

function setAside(dataDir: string, why: string): string {
  const aside = freeName(`${keptFolder(dataDir)}-damaged`);
  renameSync(keptFolder(dataDir), aside);
  return `The copies of records could not be used (${why}) and were moved to ${aside}. New copies are made of every record that still exists.`;
}

function freeName(wanted: string): string {
  let name = wanted;
  for (let count = 2; existsSync(name); count++) name = `${wanted}-${count}`;
  return name;
}

function open(dataDir: string): Database {
  mkdirSync(keptFolder(dataDir), { recursive: true, mode: 0o700 });
  const db = openDatabase(keptDatabase(dataDir));
  try {
    // Each commit is on disk before a segment it released is removed.
    db.exec('PRAGMA synchronous = FULL');
    migrateKept(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function storeOf(dataDir: string, db: Database, problem: string | undefined): Store {
  let isOpen = true;
  return {
    index: keptIndex(db),
    segments: openSegments(segmentsFolder(dataDir)),
    segmentsFolder: segmentsFolder(dataDir),
    transaction: transactions(db),
    ...(problem !== undefined && { problem }),
    close() {
      if (isOpen) closeDatabase(db);
      isOpen = false;
    },
  };
}

import { existsSync } from 'node:fs';
import { type Database, openDatabase } from '../../journal/sqlite-driver.ts';
import { rowOf } from './copy-rows.ts';
import type { Damage, KeptReader, KeptRow } from './keep.ts';
import { type CopyReading, cachedSegments, openCopy } from './kept-copy.ts';
import { keptIndex } from './kept-index.ts';
import { migrateKept } from './schema.ts';
import { keptDatabase, segmentsFolder } from './store.ts';

export interface KeptReaderOptions {
  readonly dataDir: string;
  /** A copy is damaged: which file, and how much of it. */
  onDamage?(damage: Damage): void;
}

export function openKeptReader({ dataDir, onDamage }: KeptReaderOptions): KeptReader {
  let db: Database | undefined;
  let reading: CopyReading | undefined;
  /** Opened on first use: the writer thread may not have created it yet. */
  const read = (): CopyReading | undefined => {
    if (reading !== undefined || !existsSync(keptDatabase(dataDir))) return reading;
    db = openToRead(keptDatabase(dataDir));
    reading = { index: keptIndex(db), segment: cachedSegments(segmentsFolder(dataDir)), ...(onDamage && { onDamage }) };
    return reading;
  };
  return {
    open: (file) => {
      const now = read();
      return now && openCopy(now, file);
    },
    rows: (path, agentSessionId, after, limit) => {
      const now = read();
      return now === undefined ? [] : rowsOf(now, path, agentSessionId, after, limit);
    },
    close: () => {
      if (db) db.close();
      db = undefined;
      reading = undefined;
    },
  };
}

function openToRead(path: string): Database {
  const db = openDatabase(path);
  migrateKept(db);
  db.exec('PRAGMA query_only = ON');
  return db;
}

function rowsOf({ index, segment }: CopyReading, path: string, agentSessionId: string, after: number, limit: number): readonly KeptRow[] {
  const file = index.current(path, agentSessionId);
  if (file === undefined) return [];
  const pieces = index.piecesOf(file.key);
  const first = Math.max(
    0,
    pieces.findLastIndex((piece) => piece.firstRow <= after + 1),
  );
  const rows: KeptRow[] = [];
  for (const piece of pieces.slice(first)) {
    const found = segment(piece.sha);
    if ('raw' in found)
      rows.push(
        ...linesIn(found.raw)
          .map(rowOf)
          .filter(({ row }) => row > after),
      );
    if (rows.length >= limit) break;
  }
  return rows.slice(0, limit);
}

const linesIn = (raw: Buffer): readonly string[] =>
  raw
    .toString()
    .split('\n')
    .filter((line) => line !== '');

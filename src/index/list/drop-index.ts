import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { closeDatabase, intOf, openDatabase } from '../../journal/sqlite-driver.ts';
import { removeDatabase } from './session-table.ts';

/** For a rebuilt journal: the index's cursor is a position in the old one. Everything is folded again. Nothing may have it open. */
export function dropIndex(dataDir: string): void {
  removeDatabase(pathIn(dataDir));
}

/** A journal that was restored from a backup, or lost its end in a power failure, reuses positions that the index has already followed. */
export function dropIndexAhead(dataDir: string, position: number): boolean {
  const isAhead = existsSync(pathIn(dataDir)) && cursorIn(pathIn(dataDir)) > position;
  if (isAhead) dropIndex(dataDir);
  return isAhead;
}

const pathIn = (dataDir: string): string => join(dataDir, 'library.db');

/** If it can't be read here, the writer repairs it on opening. */
function cursorIn(path: string): number {
  try {
    const db = openDatabase(path);
    try {
      const row = db.prepare('SELECT position FROM cursor').get();
      return row === undefined ? 0 : intOf(row, 'position');
    } finally {
      closeDatabase(db);
    }
  } catch {
    return 0;
  }
}

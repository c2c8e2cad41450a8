import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { closeDatabase, intOf, openDatabase } from '../../journal/sqlite/sqlite-driver.ts';
import { removeDatabase } from '../list/catalogue.ts';

/** For a journal that was rebuilt: the library's cursor is a position of the old one. Everything in it is folded again. Nobody may have it open. */
export function dropLibrary(dataDir: string): void {
  removeDatabase(pathIn(dataDir));
}

/** A journal that was put back from a backup, or lost its end with the power, will give positions out again that the library believes to have. */
export function dropLibraryAhead(dataDir: string, position: number): boolean {
  const isAhead = existsSync(pathIn(dataDir)) && cursorIn(pathIn(dataDir)) > position;
  if (isAhead) dropLibrary(dataDir);
  return isAhead;
}

const pathIn = (dataDir: string): string => join(dataDir, 'library.db');

/** What cannot be read here is mended by whoever opens it to write. */
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

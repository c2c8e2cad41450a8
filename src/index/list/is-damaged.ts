import { SQLITE, sqliteCode } from '../../journal/sqlite/sqlite-driver.ts';

/** A database of views that is damaged is no loss: it is begun anew. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE.corrupt || code === SQLITE.notADatabase;
}

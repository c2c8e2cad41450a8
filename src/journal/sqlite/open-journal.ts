import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readBlob } from '../blobs.ts';
import type { Journal } from '../journal.ts';
import { guarded, JournalDamaged } from '../journal-errors.ts';
import { mirroredSessions } from '../mirror.ts';
import { openDatabase } from '../sqlite-driver.ts';
import { rebuildMarker } from './rebuild-marker.ts';
import { JOURNAL_STEPS, migrate } from './schema.ts';
import { SqliteJournal, type SqliteJournalParts } from './sqlite-journal.ts';
import { SqliteReader } from './sqlite-reader.ts';

export interface SqliteJournalOptions extends SqliteJournalParts {
  readonly dataDir: string;
}

/** Opens `<dataDir>/journal.db`, or throws `JournalTooNew`, `JournalDamaged` or `JournalUnwritable`. */
export function openSqliteJournal(options: SqliteJournalOptions): Journal {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  chmodSync(options.dataDir, 0o700);
  const path = join(options.dataDir, 'journal.db');
  refuseUnfinished(options.dataDir, path);
  return guarded(path, () => {
    const db = openDatabase(path);
    try {
      migrate(db, path, JOURNAL_STEPS);
      return new SqliteJournal(path, db, options);
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** The journal for another thread, which only reads. Its writer must have opened it before. */
export function openJournalReader(dataDir: string): JournalReader {
  const path = join(dataDir, 'journal.db');
  return guarded(path, () => {
    const db = openDatabase(path);
    db.exec('PRAGMA query_only = ON');
    const reader = new SqliteReader(path, db);
    return {
      after: (session, after, limit) => reader.after(session, after, limit),
      since: (position, limit) => reader.since(position, limit),
      blob: (sha256) => readBlob(join(dataDir, 'blobs'), sha256),
      close: () => db.close(),
    };
  });
}

export interface JournalReader extends Pick<Journal, 'after' | 'since' | 'blob'> {
  close(): void;
}

/** An empty journal next to existing sessions would look as if nothing had ever happened. */
function refuseUnfinished(dataDir: string, path: string): void {
  if (existsSync(rebuildMarker(dataDir))) throw new JournalDamaged(path, 'a rebuild was started and did not finish');
  if (sizeOf(path) === 0 && sizeOf(`${path}-wal`) === 0 && mirroredSessions(join(dataDir, 'sessions')).length > 0) {
    throw new JournalDamaged(path, 'it is missing or empty although there are sessions');
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

import { existsSync, statSync } from 'node:fs';
import { type Database, openDatabase } from '../../journal/sqlite-driver.ts';
import { searchPart } from '../search/search-part.ts';
import { versionIn, versionOf } from '../store/index-sql.ts';
import type { IndexReader } from '../store/index-store.ts';
import type { IndexParts } from './open-index.ts';

export interface ReaderOptions extends IndexParts {
  readonly path: string;
}

/** library.db doesn't exist yet, or only in another version. */
export class IndexNotReady extends Error {
  override readonly name = 'IndexNotReady';
  constructor() {
    super('Search and usage are not ready yet: the index is being created. Try again in a moment.');
  }
}

/** Reads while another thread writes. A recreated index is another file, opened with the next question. */
export function openIndexReader(options: ReaderOptions): IndexReader {
  let open: ReturnType<typeof openParts> | undefined;
  const current = () => {
    if (open === undefined || open.file !== fileAt(options.path)) {
      open?.db.close();
      open = undefined;
      open = openParts(options);
    }
    return open;
  };
  return {
    search: (query, sources) => inOneTransaction(current(), (parts) => parts.search.search(query, sources)),
    usage: (query, hidden) => inOneTransaction(current(), (parts) => parts.usage.usage(query, hidden)),
    health: (session) => inOneTransaction(current(), (parts) => parts.health.health(session)),
    briefs: (sessions) => inOneTransaction(current(), (parts) => parts.health.briefs(sessions)),
    close() {
      open?.db.close();
      open = undefined;
    },
  };
}

function openParts({ path, usage, health }: ReaderOptions) {
  const file = fileAt(path);
  const search = searchPart();
  if (file === undefined) throw new IndexNotReady();
  const db = openDatabase(path);
  if (versionIn(db) !== versionOf([search, usage, health])) {
    db.close();
    throw new IndexNotReady();
  }
  return { db, file, search: search.read(db), usage: usage.read(db), health: health.read(db) };
}

const fileAt = (path: string): number | undefined => (existsSync(path) ? statSync(path).ino : undefined);

/** All queries of one answer see the same state, whatever is written in the meantime. */
function inOneTransaction<P extends { readonly db: Database }, T>(parts: P, ask: (parts: P) => T): T {
  parts.db.exec('BEGIN');
  try {
    return ask(parts);
  } finally {
    parts.db.exec('COMMIT');
  }
}

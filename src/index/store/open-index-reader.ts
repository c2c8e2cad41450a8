import { existsSync, statSync } from 'node:fs';
import { type Database, openDatabase } from '../../journal/sqlite/sqlite-driver.ts';
import { searchPart } from '../search/search-part.ts';
import { versionIn, versionOf } from './index-sql.ts';
import type { LibraryReader } from './index-store.ts';
import type { LibraryParts } from './open-index.ts';

export interface ReaderOptions extends LibraryParts {
  readonly path: string;
}

/** Nobody has made library.db yet, or only one of another version. */
export class LibraryNotReady extends Error {
  override readonly name = 'LibraryNotReady';
  constructor() {
    super('Nothing can be searched or counted yet: the library is just being begun');
  }
}

/** Reads beside the one who writes. A library that was begun anew is another file: it is opened when it is next asked. */
export function openLibraryReader(options: ReaderOptions): LibraryReader {
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
    search: (query, sources) => inOneView(current(), (parts) => parts.search.search(query, sources)),
    usage: (query, hidden) => inOneView(current(), (parts) => parts.usage.usage(query, hidden)),
    health: (session) => inOneView(current(), (parts) => parts.health.health(session)),
    briefs: (sessions) => inOneView(current(), (parts) => parts.health.briefs(sessions)),
    close() {
      open?.db.close();
      open = undefined;
    },
  };
}

function openParts({ path, usage, health }: ReaderOptions) {
  const file = fileAt(path);
  const search = searchPart();
  if (file === undefined) throw new LibraryNotReady();
  const db = openDatabase(path);
  if (versionIn(db) !== versionOf([search, usage, health])) {
    db.close();
    throw new LibraryNotReady();
  }
  return { db, file, search: search.read(db), usage: usage.read(db), health: health.read(db) };
}

const fileAt = (path: string): number | undefined => (existsSync(path) ? statSync(path).ino : undefined);

/** All questions of one answer see the same state, whatever is written meanwhile. */
function inOneView<P extends { readonly db: Database }, T>(parts: P, ask: (parts: P) => T): T {
  parts.db.exec('BEGIN');
  try {
    return ask(parts);
  } finally {
    parts.db.exec('COMMIT');
  }
}

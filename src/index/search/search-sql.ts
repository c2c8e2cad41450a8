import type { Database } from '../../journal/sqlite-driver.ts';

/**
 * `words` stores no text, only positions of words; `docs` says what each of its rows is. Both are numbered by time (row-ids.ts).
 * Text is already folded (domain/search/fold.ts), so the tokenizer only has to split it. Segments are merged when idle (search-part.ts),
 * and during a large import only when there are so many segments that searching would slow down.
 */
export const SEARCH_SCHEMA = `
  CREATE VIRTUAL TABLE words USING fts5(text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 0');
  INSERT INTO words (words, rank) VALUES ('pgsz', 8000);
  INSERT INTO words (words, rank) VALUES ('automerge', 0);
  INSERT INTO words (words, rank) VALUES ('crisismerge', 256);
  INSERT INTO words (words, rank) VALUES ('hashsize', 2500000);
  CREATE TABLE docs (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    facts INTEGER NOT NULL,
    tool INTEGER NOT NULL,
    path INTEGER NOT NULL
  );
  -- Agents, projects, tools and paths, each under a number.
  CREATE TABLE names (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (kind, name));
  -- Under which project's number a session's rows are; moved when they are under more than one.
  CREATE TABLE placed (session INTEGER PRIMARY KEY, project INTEGER NOT NULL, moved INTEGER NOT NULL);
  -- Calls without result: what comes out of them is of their tool and their file.
  CREATE TABLE calls (session INTEGER NOT NULL, call TEXT NOT NULL, tool INTEGER NOT NULL, path INTEGER NOT NULL, PRIMARY KEY (session, call)) WITHOUT ROWID;
  -- Rows that a later word replaces: the title (slot -1), the note on the session (0), the note on an item (its event).
  CREATE TABLE slots (session INTEGER NOT NULL, slot INTEGER NOT NULL, doc INTEGER NOT NULL, PRIMARY KEY (session, slot)) WITHOUT ROWID;
  CREATE TABLE touches (
    path INTEGER NOT NULL,
    session INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    hows INTEGER NOT NULL,
    PRIMARY KEY (path, session)
  ) WITHOUT ROWID;
  CREATE TABLE spill (slices INTEGER NOT NULL);
  INSERT INTO spill VALUES (0);
`;

export function searchStatements(db: Database) {
  return {
    putWords: db.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)'),
    putDoc: db.prepare('INSERT INTO docs VALUES (?, ?, ?, ?, ?, ?, ?)'),
    dropWords: db.prepare('DELETE FROM words WHERE rowid = CAST(? AS INTEGER)'),
    dropDoc: db.prepare('DELETE FROM docs WHERE id = ?'),
    docsOf: db.prepare('SELECT rowid AS id FROM words WHERE words MATCH ?'),
    lastIn: db.prepare('SELECT max(id) AS id FROM docs WHERE id >= ? AND id < ?'),
    spill: db.prepare('UPDATE spill SET slices = max(slices, ?)'),
    name: db.prepare('SELECT number FROM names WHERE kind = ? AND name = ?'),
    lastName: db.prepare('SELECT max(number) AS number FROM names'),
    putName: db.prepare('INSERT INTO names VALUES (?, ?, ?)'),
    placed: db.prepare('SELECT project FROM placed WHERE session = ?'),
    putPlaced: db.prepare('INSERT INTO placed VALUES (?, ?, 0)'),
    move: db.prepare('UPDATE placed SET moved = 1 WHERE session = ?'),
    calls: db.prepare('SELECT call, tool, path FROM calls WHERE session = ?'),
    dropCalls: db.prepare('DELETE FROM calls WHERE session = ?'),
    putCall: db.prepare('INSERT OR REPLACE INTO calls VALUES (?, ?, ?, ?)'),
    slot: db.prepare('SELECT doc FROM slots WHERE session = ? AND slot = ?'),
    putSlot: db.prepare('INSERT OR REPLACE INTO slots VALUES (?, ?, ?)'),
    dropSlot: db.prepare('DELETE FROM slots WHERE session = ? AND slot = ?'),
    touch: db.prepare(`
      INSERT INTO touches VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (path, session) DO UPDATE SET
        at = CASE WHEN excluded.seq > seq THEN excluded.at ELSE at END,
        seq = max(seq, excluded.seq),
        hows = hows | excluded.hows`),
    forget: ['placed', 'calls', 'slots', 'touches'].map((table) => db.prepare(`DELETE FROM ${table} WHERE session = ?`)),
    merge: db.prepare("INSERT INTO words (words, rank) VALUES ('merge', ?)"),
    changes: db.prepare('SELECT total_changes() AS changes'),
    pages: db.prepare('SELECT freelist_count AS free, page_count AS pages FROM pragma_freelist_count, pragma_page_count'),
    vacuum: db.prepare('PRAGMA incremental_vacuum(200)'),
  };
}

export type SearchStatements = ReturnType<typeof searchStatements>;

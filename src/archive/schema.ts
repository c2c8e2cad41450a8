import { migrate } from '../journal/sqlite/schema.ts';
import type { Database } from '../journal/sqlite-driver.ts';

/**
 * Each step takes archive.db from its index to the next; a released step never changes. The numbers in it are durable: nothing here can
 * be restored from the records, because some of their lines may be gone.
 */
const STEPS: readonly string[] = [
  `
  CREATE TABLE sessions (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    agent_session TEXT NOT NULL,
    last_seq INTEGER NOT NULL,
    active INTEGER NOT NULL,
    facts TEXT NOT NULL,
    parent INTEGER,
    parent_seq INTEGER
  );
  -- One row a file that was ever read; a conversation of a database is a row too. Rows are never deleted: lines point at them.
  CREATE TABLE files (
    key INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    root TEXT NOT NULL,
    path TEXT NOT NULL,
    part TEXT,
    companion TEXT,
    is_database INTEGER NOT NULL,
    size INTEGER NOT NULL,
    mtime_ms REAL NOT NULL,
    inode REAL NOT NULL,
    born_ms REAL NOT NULL,
    offset INTEGER NOT NULL,
    mark BLOB NOT NULL,
    version INTEGER NOT NULL,
    last_at INTEGER,
    branch INTEGER NOT NULL,
    is_whole INTEGER NOT NULL,
    is_gone INTEGER NOT NULL
  );
  CREATE INDEX files_by_session ON files (session);
  -- One row a line that gives events: they are numbered from seq on. skip: how many of the line's events are in another row.
  CREATE TABLE lines (
    session INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    events INTEGER NOT NULL,
    skip INTEGER NOT NULL,
    file INTEGER NOT NULL,
    place INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    branch INTEGER NOT NULL,
    at INTEGER,
    PRIMARY KEY (session, seq)
  ) WITHOUT ROWID;
  -- Lines that tell what was spent and give no event: seq is the last event before.
  CREATE TABLE spends (
    session INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    identity BLOB NOT NULL,
    file INTEGER NOT NULL,
    place INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    at INTEGER,
    PRIMARY KEY (session, seq, identity)
  ) WITHOUT ROWID;
  -- given: how many events the line has had numbers for. With 0, seq is the last event before it in its branch.
  CREATE TABLE identities (
    session INTEGER NOT NULL,
    identity BLOB NOT NULL,
    seq INTEGER NOT NULL,
    given INTEGER NOT NULL,
    branch INTEGER NOT NULL,
    PRIMARY KEY (session, identity)
  ) WITHOUT ROWID;
  -- How often a text without id and time was met in a file.
  CREATE TABLE repeats (file INTEGER NOT NULL, identity BLOB NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (file, identity)) WITHOUT ROWID;
  CREATE TABLE branches (
    session INTEGER NOT NULL,
    branch INTEGER NOT NULL,
    from_branch INTEGER,
    from_seq INTEGER,
    last_seq INTEGER NOT NULL,
    at INTEGER,
    events INTEGER NOT NULL,
    title TEXT,
    tips BLOB NOT NULL,
    PRIMARY KEY (session, branch)
  ) WITHOUT ROWID;
  -- The first lines of every conversation: a copy of one begins with the same.
  CREATE TABLE heads (identity BLOB NOT NULL, session INTEGER NOT NULL, PRIMARY KEY (identity, session)) WITHOUT ROWID;
  CREATE INDEX heads_by_session ON heads (session);
  CREATE TABLE blobs (sha BLOB NOT NULL, session INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (sha, session, seq)) WITHOUT ROWID;
  CREATE TABLE taken (agent TEXT NOT NULL, agent_session TEXT NOT NULL, base INTEGER NOT NULL, PRIMARY KEY (agent, agent_session)) WITHOUT ROWID;
  `,
];

export const migrateArchive = (db: Database, path: string): void => migrate(db, path, STEPS);

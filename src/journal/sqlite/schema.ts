import { JournalTooNew } from '../journal-errors.ts';
import { type Database, intOf } from '../sqlite-driver.ts';

/** Each step takes the database from its index to the next; a released step never changes. */
export const JOURNAL_STEPS: readonly string[] = [
  `
  CREATE TABLE sessions (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE UNIQUE INDEX events_by_seq ON events (session, seq);
  CREATE TABLE receipts (
    command TEXT PRIMARY KEY,
    session INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    queued INTEGER,
    content TEXT NOT NULL,
    position INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX receipts_by_position ON receipts (position);
  CREATE INDEX receipts_by_session ON receipts (session);
  CREATE TABLE runs (
    ordinal INTEGER PRIMARY KEY,
    run TEXT NOT NULL UNIQUE,
    session INTEGER NOT NULL,
    out_byte INTEGER NOT NULL,
    in_byte INTEGER NOT NULL,
    adapter_version INTEGER NOT NULL,
    fold_state TEXT NOT NULL,
    open INTEGER NOT NULL
  );
  CREATE INDEX runs_by_session ON runs (session);
  CREATE INDEX runs_open ON runs (open) WHERE open = 1;
  CREATE TABLE outbox (run TEXT NOT NULL, offset INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (run, offset));
  CREATE TABLE snapshots (session INTEGER PRIMARY KEY, seq INTEGER NOT NULL, version INTEGER NOT NULL, state TEXT NOT NULL);
  CREATE TABLE blob_uses (sha256 TEXT NOT NULL, session INTEGER NOT NULL, PRIMARY KEY (sha256, session)) WITHOUT ROWID;
  CREATE INDEX blob_uses_by_session ON blob_uses (session);
  CREATE TABLE marks (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO marks VALUES ('position', 0), ('mirrored', 0), ('opened', 0);
  `,
  // A separate table, because it outlives the sessions in which the rules were used.
  'CREATE TABLE rule_uses (rule TEXT PRIMARY KEY, uses INTEGER NOT NULL, last_at TEXT NOT NULL) WITHOUT ROWID',
  // Rows are never changed or deleted. The same event makes the same row, whether it is written right away, later, or from a file.
  `
  CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    session TEXT,
    seq INTEGER,
    action TEXT NOT NULL,
    actor_id TEXT NOT NULL,
    actor_name TEXT NOT NULL,
    request TEXT,
    words TEXT NOT NULL,
    line TEXT NOT NULL
  );
  CREATE UNIQUE INDEX audit_once ON audit (session, seq, at, action);
  CREATE INDEX audit_by_time ON audit (at, id);
  CREATE INDEX audit_by_session ON audit (session, at, id);
  CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is never changed'); END;
  CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is never deleted'); END;
  INSERT INTO marks VALUES ('audited', 0);
  `,
];

/** Brings the schema up to date, one transaction per step; refuses a newer database before touching it. */
export function migrate(db: Database, path: string, steps: readonly string[]): void {
  const version = schemaVersion(db);
  if (version > steps.length) throw new JournalTooNew(path, version, steps.length);
  steps.slice(version).forEach((step, index) => {
    db.exec(`BEGIN IMMEDIATE; ${step}; PRAGMA user_version = ${version + index + 1}; COMMIT`);
  });
}

function schemaVersion(db: Database): number {
  const row = db.prepare('PRAGMA user_version').get();
  return row ? intOf(row, 'user_version') : 0;
}

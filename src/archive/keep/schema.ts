import { type Database, intOf } from '../../journal/sqlite-driver.ts';

/** Each step takes kept.db from its index to the next; a released step never changes. */
const STEPS: readonly string[] = [
  `
  CREATE TABLE files (
    key INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    agent TEXT NOT NULL,
    root TEXT NOT NULL,
    path TEXT NOT NULL,
    conversation TEXT NOT NULL,
    kind TEXT NOT NULL,
    generation INTEGER NOT NULL,
    is_current INTEGER NOT NULL,
    is_whole INTEGER NOT NULL,
    is_gone INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    mtime_ms REAL NOT NULL,
    ino INTEGER NOT NULL,
    last_row INTEGER NOT NULL,
    companion TEXT
  );
  CREATE UNIQUE INDEX files_by_place ON files (path, conversation, generation);
  CREATE INDEX files_by_session ON files (session);
  CREATE TABLE pieces (
    file INTEGER NOT NULL,
    from_byte INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    sha TEXT NOT NULL,
    is_open INTEGER NOT NULL,
    first_row INTEGER NOT NULL,
    PRIMARY KEY (file, from_byte)
  ) WITHOUT ROWID;
  CREATE INDEX pieces_by_sha ON pieces (sha);
  CREATE TABLE numbers (number INTEGER PRIMARY KEY, file INTEGER NOT NULL);
  CREATE INDEX numbers_by_file ON numbers (file);
  CREATE TABLE segments (sha TEXT PRIMARY KEY, packed INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE forgotten (session TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE totals (is_on INTEGER NOT NULL, files INTEGER NOT NULL, bytes INTEGER NOT NULL, raw_bytes INTEGER NOT NULL, gone INTEGER NOT NULL);
  INSERT INTO totals VALUES (1, 0, 0, 0, 0);
  CREATE TRIGGER segment_came AFTER INSERT ON segments BEGIN UPDATE totals SET bytes = bytes + NEW.packed; END;
  CREATE TRIGGER segment_went AFTER DELETE ON segments BEGIN UPDATE totals SET bytes = bytes - OLD.packed; END;
  CREATE TRIGGER file_came AFTER INSERT ON files BEGIN
    UPDATE totals SET files = files + NEW.is_current, raw_bytes = raw_bytes + NEW.bytes, gone = gone + NEW.is_gone * NEW.is_current * (NEW.kind <> 'companion');
  END;
  CREATE TRIGGER file_went AFTER DELETE ON files BEGIN
    UPDATE totals SET files = files - OLD.is_current, raw_bytes = raw_bytes - OLD.bytes, gone = gone - OLD.is_gone * OLD.is_current * (OLD.kind <> 'companion');
  END;
  CREATE TRIGGER file_changed AFTER UPDATE ON files BEGIN
    UPDATE totals SET
      files = files + NEW.is_current - OLD.is_current,
      raw_bytes = raw_bytes + NEW.bytes - OLD.bytes,
      gone = gone + NEW.is_gone * NEW.is_current * (NEW.kind <> 'companion') - OLD.is_gone * OLD.is_current * (OLD.kind <> 'companion');
  END;
  `,
];

/** Written by a newer Signalbox: this one must not touch it. */
export class KeptTooNew extends Error {
  override readonly name = 'KeptTooNew';
}

export function migrateKept(db: Database): void {
  const row = db.prepare('PRAGMA user_version').get();
  const version = row ? intOf(row, 'user_version') : 0;
  if (version > STEPS.length) throw new KeptTooNew(`The kept copies were written by a newer Signalbox (their form is ${version}).`);
  STEPS.slice(version).forEach((step, index) => {
    db.exec(`BEGIN IMMEDIATE; ${step}; PRAGMA user_version = ${version + index + 1}; COMMIT`);
  });
}

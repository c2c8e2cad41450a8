import type { Database } from '../../journal/sqlite-driver.ts';

/**
 * `usage_entries` has every entry of every session, including copies in forks, of which one per key counts. `usage_days` has the sums of
 * those that count; all are integers, so that adding and subtracting in any order gives the same result. There are many entries: their
 * key is the start of a hash, and days and models are stored as numbers.
 */
export const USAGE_SCHEMA = `
  CREATE TABLE usage_entries (
    key BLOB NOT NULL,
    session INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    counts INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    cost_nano INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    PRIMARY KEY (key, session)
  ) WITHOUT ROWID;
  CREATE TABLE usage_kinds (
    number INTEGER PRIMARY KEY,
    day TEXT NOT NULL,
    model TEXT NOT NULL,
    is_costed INTEGER NOT NULL,
    UNIQUE (day, model, is_costed)
  );
  -- The keys of a session's entries, eight bytes each, as many in a row as were told at once.
  CREATE TABLE usage_keys (session INTEGER NOT NULL, keys BLOB NOT NULL);
  CREATE INDEX usage_keys_by_session ON usage_keys (session);
  CREATE TABLE usage_days (
    session INTEGER NOT NULL,
    day TEXT NOT NULL,
    model TEXT NOT NULL,
    is_costed INTEGER NOT NULL,
    entries INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_write INTEGER NOT NULL,
    cost_nano INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    PRIMARY KEY (session, day, model, is_costed)
  ) WITHOUT ROWID;
  CREATE TABLE usage_states (session INTEGER PRIMARY KEY, created_at TEXT NOT NULL, state TEXT NOT NULL);
`;

export function usageStatements(db: Database) {
  return {
    state: db.prepare('SELECT created_at, state FROM usage_states WHERE session = ?'),
    putState: db.prepare('INSERT OR REPLACE INTO usage_states (session, created_at, state) VALUES (?, ?, ?)'),
    dropState: db.prepare('DELETE FROM usage_states WHERE session = ?'),
    hasKey: db.prepare('SELECT 1 AS is_there FROM usage_entries WHERE key = ? LIMIT 1'),
    // The session that was created first comes first.
    copies: db.prepare(`
      SELECT e.* FROM usage_entries e LEFT JOIN sessions s ON s.number = e.session
      WHERE e.key = ? ORDER BY s.created_at, s.id`),
    putEntry: db.prepare(`
      INSERT OR REPLACE INTO usage_entries (key, session, kind, counts, input, output, cache_read, cache_write, cost_nano, turns, duration_ms)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    setCounts: db.prepare('UPDATE usage_entries SET counts = ?3 WHERE key = ?1 AND session = ?2'),
    dropEntry: db.prepare('DELETE FROM usage_entries WHERE key = ? AND session = ?'),
    putKeys: db.prepare('INSERT INTO usage_keys VALUES (?, ?)'),
    keysOf: db.prepare('SELECT keys FROM usage_keys WHERE session = ?'),
    dropKeys: db.prepare('DELETE FROM usage_keys WHERE session = ?'),
    kind: db.prepare('SELECT day, model, is_costed FROM usage_kinds WHERE number = ?'),
    kindOf: db.prepare('SELECT number FROM usage_kinds WHERE day = ? AND model = ? AND is_costed = ?'),
    putKind: db.prepare('INSERT INTO usage_kinds (day, model, is_costed) VALUES (?, ?, ?)'),
    add: db.prepare(`
      INSERT INTO usage_days VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET
        entries = entries + excluded.entries, input = input + excluded.input, output = output + excluded.output,
        cache_read = cache_read + excluded.cache_read, cache_write = cache_write + excluded.cache_write,
        cost_nano = cost_nano + excluded.cost_nano, turns = turns + excluded.turns, duration_ms = duration_ms + excluded.duration_ms`),
    sweep: db.prepare('DELETE FROM usage_days WHERE session = ? AND day = ? AND model = ? AND is_costed = ? AND entries = 0'),
  };
}

export type UsageStatements = ReturnType<typeof usageStatements>;

import type { Database } from '../../journal/sqlite-driver.ts';

/** Raise it with every change of the schema or of its contents; an older database is then rebuilt. */
export const SESSION_TABLE_VERSION = 3;

export const SESSION_TABLE_SCHEMA = `
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    past INTEGER NOT NULL,
    status TEXT NOT NULL,
    control TEXT NOT NULL,
    agent TEXT NOT NULL,
    project_id TEXT NOT NULL,
    project TEXT NOT NULL,
    cwd TEXT NOT NULL,
    title TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    star INTEGER NOT NULL,
    archived INTEGER NOT NULL,
    haystack TEXT NOT NULL,
    summary TEXT NOT NULL
  );
  CREATE INDEX sessions_newest ON sessions (updated_at DESC, id DESC);
  CREATE INDEX sessions_by_project ON sessions (project_id, updated_at DESC);
  CREATE TABLE briefs (session TEXT PRIMARY KEY, brief TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE tags (tag TEXT NOT NULL, session TEXT NOT NULL, PRIMARY KEY (tag, session)) WITHOUT ROWID;
  CREATE INDEX tags_by_session ON tags (session);
  CREATE TABLE cursor (position INTEGER NOT NULL);
  INSERT INTO cursor VALUES (0);
`;

export function sessionTableStatements(db: Database) {
  return {
    put: db.prepare('INSERT OR REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
    drop: db.prepare('DELETE FROM sessions WHERE id = ?'),
    putTag: db.prepare('INSERT OR IGNORE INTO tags (tag, session) VALUES (?, ?)'),
    dropTags: db.prepare('DELETE FROM tags WHERE session = ?'),
    ids: db.prepare('SELECT id FROM sessions WHERE past = ?'),
    kindOf: db.prepare('SELECT past FROM sessions WHERE id = ?'),
    brief: db.prepare('INSERT OR REPLACE INTO briefs (session, brief) VALUES (?, ?)'),
    dropBrief: db.prepare('DELETE FROM briefs WHERE session = ?'),
    cursor: db.prepare('SELECT position FROM cursor'),
    setCursor: db.prepare('UPDATE cursor SET position = max(position, ?)'),
    list: db.prepare(`
      SELECT id, updated_at, summary, brief FROM sessions LEFT JOIN briefs ON briefs.session = sessions.id
      WHERE (?1 IS NULL OR status IN (SELECT value FROM json_each(?1)))
        AND (?2 IS NULL OR agent IN (SELECT value FROM json_each(?2)))
        AND (?3 IS NULL OR project_id = ?3 OR project = ?3)
        AND (?4 IS NULL OR EXISTS (SELECT 1 FROM tags WHERE tag = ?4 AND session = sessions.id))
        AND (?5 IS NULL OR instr(haystack, ?5) > 0)
        AND (?6 IS NULL OR control = ?6)
        AND (?7 IS NULL OR star = ?7)
        AND (?8 IS NULL OR archived = ?8)
        AND (?9 IS NULL OR updated_at >= ?9)
        AND (?10 IS NULL OR updated_at < ?10)
        AND (?11 IS NULL OR (updated_at, id) < (?11, ?12))
      ORDER BY updated_at DESC, id DESC
      LIMIT ?13`),
    // For columns that are not grouped, SQLite uses the row with the maximum: the newest session names its folder.
    projects: db.prepare(`
      SELECT project_id, cwd, project, count(*) AS sessions, max(updated_at) AS updated_at, group_concat(DISTINCT agent) AS agents FROM sessions
      WHERE (?1 IS NULL OR agent IN (SELECT value FROM json_each(?1))) AND id NOT IN (SELECT value FROM json_each(?2))
      GROUP BY project_id ORDER BY updated_at DESC`),
    tags: db.prepare('SELECT tag, count(*) AS sessions FROM tags GROUP BY tag ORDER BY sessions DESC, tag'),
    counts: db.prepare('SELECT agent, count(*) AS sessions FROM sessions GROUP BY agent'),
  };
}

import { type Database, intOf, type Row, textOf } from '../../journal/sqlite-driver.ts';
import { AgentId, SessionId } from '../../protocol/ids.ts';
import type { KnownSession } from './index-part.ts';
import type { IndexedSession } from './index-store.ts';

/** Where a session's title comes from: a better source replaces a weaker one. */
export const TITLED = { byFolder: 0, byPrompt: 1, given: 2 } as const;
type Titled = (typeof TITLED)[keyof typeof TITLED];

/** The rows of `sessions`: every session under its number. */
export function sessionRows(db: Database) {
  const byId = db.prepare('SELECT * FROM sessions WHERE id = ?');
  const insert = db.prepare('INSERT INTO sessions (id, agent, title, project, project_id, created_at, parent, titled) VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const update = db.prepare('UPDATE sessions SET agent = ?, title = ?, project = ?, project_id = ?, created_at = ?, parent = ?, titled = ? WHERE id = ?');
  const drop = db.prepare('DELETE FROM sessions WHERE id = ?');
  const moveCursor = db.prepare('UPDATE sessions SET past_cursor = max(past_cursor, ?) WHERE id = ?');
  const row = (id: SessionId) => byId.get(id);
  const known = (id: SessionId) => {
    const found = row(id);
    return found && toSession(found);
  };
  return {
    known,
    titled: (id: SessionId) => Number(row(id)?.titled ?? TITLED.byFolder),
    cursor: (id: SessionId) => Number(row(id)?.past_cursor ?? 0),
    moveCursor: (id: SessionId, seq: number) => moveCursor.run(seq, id),
    drop: (id: SessionId) => drop.run(id),
    /** Writes the current facts of a session; its number stays. */
    write(session: IndexedSession, titled: Titled): { readonly session: KnownSession; readonly changed: boolean } {
      const { id, agent, title, project, projectId, createdAt, parent = null } = session;
      const before = known(id);
      if (before && sameFacts(before, session)) return { session: before, changed: false };
      if (before) update.run(agent, title, project, projectId, createdAt, parent, titled, id);
      else insert.run(id, agent, title, project, projectId, createdAt, parent, titled);
      const after = known(id);
      if (after === undefined) throw new Error(`session ${id} was written and is not there`);
      return { session: after, changed: true };
    },
  };
}

export type SessionRows = ReturnType<typeof sessionRows>;

const FACTS = ['agent', 'title', 'project', 'projectId', 'createdAt', 'parent'] as const;
const sameFacts = (a: IndexedSession, b: IndexedSession): boolean => FACTS.every((fact) => a[fact] === b[fact]);

export function toSession(row: Row): KnownSession {
  return {
    number: intOf(row, 'number'),
    id: SessionId.parse(textOf(row, 'id')),
    agent: AgentId.parse(textOf(row, 'agent')),
    title: textOf(row, 'title'),
    project: textOf(row, 'project'),
    projectId: textOf(row, 'project_id'),
    createdAt: textOf(row, 'created_at'),
    ...(row.parent !== null && { parent: SessionId.parse(textOf(row, 'parent')) }),
  };
}

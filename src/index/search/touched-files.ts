import type { ParsedQuery } from '../../domain/search/query.ts';
import { type Database, intOf, type Row as SqlRow } from '../../journal/sqlite/sqlite-driver.ts';
import type { Row } from './cursor.ts';
import type { Filter } from './filter.ts';
import { HOW, packFacts } from './row-facts.ts';

export const touchStatements = (db: Database) => ({ of: db.prepare('SELECT path, session, seq, at, hows FROM touches WHERE path = ?') });

/** The last time each session touched a file that was asked for: one row a session and file. */
export function touchRows(sql: ReturnType<typeof touchStatements>, filter: Filter, query: ParsedQuery): readonly Row[] {
  const rows = [...(filter.paths ?? [])].flatMap((path) => sql.of.all(path).map(toRow));
  return rows.filter((row) => filter.admits(row) && isOfAgent(row, filter, query));
}

function isOfAgent({ session }: Row, { sessions }: Filter, { agents, session: wanted }: ParsedQuery): boolean {
  const known = sessions.byNumber(session);
  if (known === undefined || (wanted !== undefined && known.id !== wanted)) return false;
  return agents.length === 0 || agents.some((agent) => known.agent.startsWith(agent));
}

function toRow(row: SqlRow): Row {
  const facts = packFacts({ kind: 'tool', isError: false, isInherited: (intOf(row, 'hows') & HOW.own) === 0 });
  const [session, seq, at, path] = [intOf(row, 'session'), intOf(row, 'seq'), intOf(row, 'at'), intOf(row, 'path')];
  return { id: 0, slice: 0, session, seq, at, facts, tool: 0, path, score: 0 };
}

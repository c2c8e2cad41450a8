import { fold } from '../../domain/search/fold.ts';
import { isPathWithin } from '../../domain/search/paths.ts';
import type { ParsedQuery } from '../../domain/search/query.ts';
import { type Database, intOf, textOf } from '../../journal/sqlite-driver.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { KnownSession } from '../store/index-part.ts';
import { toSession } from '../store/indexed-sessions.ts';
import type { Row } from './cursor.ts';
import { facetOf, unpackFacts } from './row-facts.ts';

/** The filters of a query, resolved to numbers. */
export interface Filter {
  /** Facets as words of the index: one of each group must match. */
  readonly facets: readonly (readonly string[])[];
  /** Checks what no facet expresses, or not exactly. */
  admits(row: Pick<Row, 'session' | 'at' | 'facts' | 'path'>): boolean;
  readonly paths: ReadonlySet<number> | undefined;
  readonly sessions: SessionLookup;
}

/** Up to this many paths are part of the FTS query; more are compared row by row. */
const PATHS_IN_QUERY = 300;

/** Undefined if nothing can match: no such agent, project, tool, path or session. */
export function filterOf(names: NameLookup, sessions: SessionLookup, query: ParsedQuery, isHidden: IsHidden): Filter | undefined {
  const projects = query.projects.length === 0 ? undefined : new Set(names.projects(query.projects));
  const paths = query.paths.length === 0 ? undefined : new Set(names.paths(query.paths));
  const session = query.session === undefined ? undefined : sessions.byId(query.session);
  const groups: (readonly string[] | undefined)[] = [
    query.agents.length === 0 ? undefined : names.agents(query.agents).map(facetOf.agent),
    projects && [...names.projectNumbers(projects).map(facetOf.project), ...names.movedInto(projects).map(facetOf.session)],
    query.tools.length === 0 ? undefined : names.tools(query.tools).map(facetOf.tool),
    paths && (paths.size <= PATHS_IN_QUERY ? [...paths].map(facetOf.path) : undefined),
    query.kinds.length === 0 ? undefined : query.kinds.map(facetOf.kind),
    query.isError ? [facetOf.error] : undefined,
    query.session === undefined ? undefined : session ? [facetOf.session(session.number)] : [],
  ];
  const facets = groups.filter((group) => group !== undefined);
  if (facets.some((group) => group.length === 0) || paths?.size === 0) return undefined;
  return {
    facets,
    paths,
    sessions,
    admits: (row) => isWithin(row, query) && (!paths || paths.has(row.path)) && isShown(row, { query, projects, sessions, isHidden }),
  };
}

type IsHidden = (session: SessionId) => boolean;

function isWithin({ at }: Pick<Row, 'at'>, { after, before }: ParsedQuery): boolean {
  return (after === undefined || at >= after) && (before === undefined || at < before);
}

interface Viewing {
  readonly query: ParsedQuery;
  readonly projects: ReadonlySet<string> | undefined;
  readonly sessions: SessionLookup;
  readonly isHidden: IsHidden;
}

function isShown(row: Pick<Row, 'session' | 'facts'>, { query, projects, sessions, isHidden }: Viewing): boolean {
  const session = sessions.byNumber(row.session);
  if (session === undefined || isHidden(session.id) || (projects && !projects.has(session.projectId))) return false;
  if (query.session !== undefined || !unpackFacts(row.facts).isInherited || session.parent === undefined) return true;
  // What a fork repeats is found in the original, as long as the viewer can see that one.
  return sessions.byId(session.parent) === undefined || isHidden(session.parent);
}

export type NameLookup = ReturnType<typeof nameLookup>;

export function nameLookup(db: Database) {
  const all = db.prepare('SELECT number, name FROM names WHERE kind = ?');
  const byNumber = db.prepare('SELECT name FROM names WHERE number = ?');
  const containing = db.prepare("SELECT number, name FROM names WHERE kind = 'path' AND instr(lower(name), ?) > 0");
  const projectRows = db.prepare('SELECT DISTINCT project_id, project FROM sessions');
  const moved = db.prepare('SELECT number, project_id FROM sessions WHERE number IN (SELECT session FROM placed WHERE moved)');
  const numbers = (kind: string, wanted: (name: string) => boolean) =>
    all.all(kind).flatMap((row) => (wanted(textOf(row, 'name')) ? [intOf(row, 'number')] : []));
  return {
    /** By id, or the start of one. */
    agents: (wanted: readonly string[]) => numbers('agent', (name) => wanted.some((one) => name.startsWith(one))),
    tools: (wanted: readonly string[]) => numbers('tool', (name) => wanted.some((one) => isTool(fold(name), one))),
    /** Ids of projects, by id or by title. */
    projects: (wanted: readonly string[]) =>
      projectRows
        .all()
        .flatMap((row) => (wanted.some((one) => row.project_id === one || fold(textOf(row, 'project')) === one) ? [textOf(row, 'project_id')] : [])),
    projectNumbers: (ids: ReadonlySet<string>) => numbers('project', (name) => ids.has(name)),
    movedInto: (ids: ReadonlySet<string>) => moved.all().flatMap((row) => (ids.has(textOf(row, 'project_id')) ? [intOf(row, 'number')] : [])),
    paths: (wanted: readonly string[]) =>
      wanted.flatMap((one) => {
        const candidates = containing.all((one.split(/[\\/]+/).findLast((segment) => segment !== '') ?? one).toLowerCase());
        return candidates.flatMap((row) => (isPathWithin(textOf(row, 'name'), one) ? [intOf(row, 'number')] : []));
      }),
    nameOf: (number: number) => {
      const row = byNumber.get(number);
      return row && textOf(row, 'name');
    },
  };
}

const isTool = (name: string, wanted: string): boolean => (wanted.endsWith('*') ? name.startsWith(wanted.slice(0, -1)) : name === wanted);

export type SessionLookup = ReturnType<typeof sessionLookup>;

/** Sessions as they are during one search. */
export function sessionLookup(db: Database) {
  const number = db.prepare('SELECT * FROM sessions WHERE number = ?');
  const id = db.prepare('SELECT * FROM sessions WHERE id = ?');
  const known = new Map<number | string, KnownSession | undefined>();
  const once = (key: number | string, statement: typeof id): KnownSession | undefined => {
    if (known.has(key)) return known.get(key);
    const row = statement.get(key);
    const session = row && toSession(row);
    known.set(key, session);
    return session;
  };
  return { byNumber: (key: number) => once(key, number), byId: (key: SessionId) => once(key, id), forget: () => known.clear() };
}

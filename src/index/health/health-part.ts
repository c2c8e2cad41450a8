import { briefOf } from '../../domain/health/brief.ts';
import { healthAt } from '../../domain/health/health.ts';
import { HEALTHY, type HealthState } from '../../domain/health/state.ts';
import { type Database, jsonOf, type Row, textOf } from '../../journal/sqlite-driver.ts';
import type { SessionHealth } from '../../protocol/api/health.ts';
import { SessionId } from '../../protocol/ids.ts';
import type { HealthBrief } from '../../protocol/session.ts';
import type { HealthReader, HealthWriter, IndexPart } from '../store/index-part.ts';
import { foldRecord, type WindowOf } from './health-fold.ts';

export interface HealthPartOptions {
  readonly now: () => number;
  /** Another program has this session's conversation open, so it has neither ended nor been killed. */
  readonly isOpenElsewhere: (session: SessionId) => boolean;
  readonly windowOf: WindowOf;
}

/** One health state per session, stored as the JSON of what differs from a healthy one. */
export const healthPart = (options: HealthPartOptions): IndexPart<HealthWriter, HealthReader> => ({
  name: 'health',
  version: 2,
  schema: 'CREATE TABLE health (session INTEGER PRIMARY KEY, state TEXT NOT NULL)',
  write: (db) => healthWriter(db, options),
  read: (db) => healthReader(db, options),
});

function healthWriter(db: Database, options: HealthPartOptions): HealthWriter {
  const known = db.prepare('SELECT state FROM health WHERE session = ?');
  const put = db.prepare('INSERT OR REPLACE INTO health (session, state) VALUES (?, ?)');
  const drop = db.prepare('DELETE FROM health WHERE session = ?');
  const reader = healthReader(db, options);
  // Only for current listeners; anyone who comes later reads the table.
  let changed = new Set<SessionId>();
  // Written when the transaction ends.
  const folded = new Map<number, { readonly id: SessionId; readonly state: HealthState }>();
  const write = () => {
    for (const [session, { id, state }] of folded) {
      put.run(session, JSON.stringify(differing(state)));
      changed.add(id);
    }
    folded.clear();
  };
  return {
    take: (session, events, spent) => {
      const before = folded.get(session.number)?.state ?? stateOf(known.get(session.number));
      folded.set(session.number, { id: session.id, state: foldRecord(before, session.agent, events, spent, options.windowOf) });
    },
    forget: (session) => {
      folded.delete(session);
      drop.run(session);
    },
    clear: () => db.exec('DELETE FROM health'),
    ending: write,
    ended: () => folded.clear(),
    changed: () => {
      const ids = [...changed];
      changed = new Set();
      return reader.briefs(ids);
    },
  };
}

function healthReader(db: Database, { now, isOpenElsewhere }: HealthPartOptions): HealthReader {
  const one = db.prepare('SELECT h.state FROM health h JOIN sessions s ON s.number = h.session WHERE s.id = ?');
  const many = db.prepare('SELECT s.id, h.state FROM json_each(?) asked JOIN sessions s ON s.id = asked.value JOIN health h ON h.session = s.number');
  const shown = (id: SessionId, row: Row): SessionHealth => healthAt(stateOf(row), new Date(now()).toISOString(), isOpenElsewhere(id));
  const brief = (row: Row): readonly [SessionId, HealthBrief] => {
    const id = SessionId.parse(textOf(row, 'id'));
    return [id, briefOf(shown(id, row))];
  };
  return {
    health: (session) => {
      const row = one.get(session);
      return row && shown(session, row);
    },
    briefs: (sessions) => new Map(many.all(JSON.stringify(sessions)).map(brief)),
  };
}

const stateOf = (row: Row | undefined): HealthState => (row === undefined ? HEALTHY : { ...HEALTHY, ...(jsonOf(row, 'state') as Partial<HealthState>) });

function differing(state: HealthState): Partial<HealthState> {
  const healthy = new Map<string, unknown>(Object.entries(HEALTHY));
  return Object.fromEntries(Object.entries(state).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(healthy.get(name))));
}

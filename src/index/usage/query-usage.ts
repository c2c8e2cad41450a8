import type { PriceOf } from '../../domain/usage/price.ts';
import { type Database, intOf, textOf } from '../../journal/sqlite-driver.ts';
import type { UsageBy, UsageList, UsageQuery } from '../../protocol/api/usage.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { groupOf, rowsOf, sumOf, unpricedIn } from './usage-rows.ts';

const KEYS: Readonly<Record<UsageBy, string>> = { day: 'd.day', model: 'd.model', project: 's.project_id', agent: 's.agent' };
const TITLES: Readonly<Record<UsageBy, string>> = { day: 'd.day', model: 'd.model', project: 'max(s.project)', agent: 's.agent' };

const FROM = `
  FROM usage_days d JOIN sessions s ON s.number = d.session
  WHERE (?1 IS NULL OR d.day >= ?1) AND (?2 IS NULL OR d.day <= ?2)
    AND (?3 IS NULL OR s.agent IN (SELECT value FROM json_each(?3)))
    AND (?4 IS NULL OR s.project_id = ?4 OR s.project = ?4)
    AND (?5 IS NULL OR d.model = ?5)
    AND (?6 IS NULL OR s.id NOT IN (SELECT value FROM json_each(?6)))`;

/** Answers usage queries, by day or by another group. */
export function readUsage(db: Database, priceOf: PriceOf): (query: UsageQuery, hidden?: readonly SessionId[]) => Omit<UsageList, 'whole'> {
  const sql = statements(db);
  return (query, hidden = []) => {
    const by = query.by ?? 'day';
    const filters = [...filtersOf(query), hidden.length === 0 ? null : JSON.stringify(hidden)] as const;
    const groups = sql.groups[by].all(...filters).map((row) => groupOf(row, priceOf));
    const sessions = new Map(sql.sessions[by].all(...filters).map((row) => [textOf(row, 'key'), intOf(row, 'sessions')]));
    return {
      by,
      rows: rowsOf(by, groups, sessions),
      total: sumOf(groups, intOf(sql.all.get(...filters) ?? { sessions: 0 }, 'sessions')),
      unpriced: unpricedIn(groups),
    };
  };
}

/** Rows are always split by agent and model, because prices depend on them. */
function statements(db: Database) {
  const groups = (by: UsageBy) =>
    db.prepare(`
      SELECT ${KEYS[by]} AS key, ${TITLES[by]} AS title, s.agent AS agent, d.model AS model, d.is_costed AS is_costed,
        sum(d.input) AS input, sum(d.output) AS output, sum(d.cache_read) AS cache_read, sum(d.cache_write) AS cache_write,
        sum(d.cost_nano) AS cost_nano, sum(d.turns) AS turns, sum(d.duration_ms) AS duration_ms
      ${FROM} GROUP BY ${KEYS[by]}, s.agent, d.model, d.is_costed`);
  const sessions = (by: UsageBy) => db.prepare(`SELECT ${KEYS[by]} AS key, count(DISTINCT d.session) AS sessions ${FROM} GROUP BY ${KEYS[by]}`);
  return {
    groups: { day: groups('day'), model: groups('model'), project: groups('project'), agent: groups('agent') },
    sessions: { day: sessions('day'), model: sessions('model'), project: sessions('project'), agent: sessions('agent') },
    all: db.prepare(`SELECT count(DISTINCT d.session) AS sessions ${FROM}`),
  };
}

const filtersOf = ({ from, to, agent, project, model }: UsageQuery) =>
  [from ?? null, to ?? null, agent === undefined ? null : JSON.stringify(agent.split(',')), project ?? null, model ?? null] as const;

import type { FastifyRequest } from 'fastify';
import { AuditList } from '../../protocol/api/audit.ts';
import { HitList } from '../../protocol/api/search.ts';
import { UsageList, type UsageRow } from '../../protocol/api/usage.ts';
import { PermissionList } from '../../protocol/http.ts';
import type { Answer, Route } from '../http/route.ts';
import { callAll } from './call.ts';
import { nameOf, type RemoteContext, vouchFor } from './remote-context.ts';

const LIMIT_MS = 2000;

/** Questions about everything: this machine's answer, with those of all others that answer in time. Those that did not are named. */
export async function merge(context: RemoteContext, route: Pick<Route, 'method' | 'path'>, request: FastifyRequest, own: Answer): Promise<Answer> {
  const { identity } = request;
  if (route.method !== 'GET' || identity === undefined || identity.via !== undefined || own.status !== 200) return own;
  if (route.path === '/api/permissions') return { ...own, body: withPermissions(context, PermissionList.parse(own.body), sessionIn(request)) };
  const join = JOINS[route.path];
  // Later pages are of this machine.
  if (join === undefined || Object(request.query).cursor !== undefined) return own;
  const { found, silent } = await callAll(
    context,
    { method: 'GET', url: request.url, body: new Uint8Array(), who: vouchFor(context, identity, request.from) },
    LIMIT_MS,
  );
  const answers = found.flatMap(({ node, response }) =>
    response.status === 200 ? [{ machine: nameOf(context, node), body: JSON.parse(response.body.toString('utf8')) as unknown }] : [],
  );
  const missing = silent.map((node) => nameOf(context, node)).sort();
  return { ...own, body: { ...join(own.body, answers), ...(missing.length > 0 && { missing }) } };
}

interface OtherAnswer {
  readonly machine: string;
  readonly body: unknown;
}

const JOINS: Readonly<Record<string, (own: unknown, others: readonly OtherAnswer[]) => object>> = {
  '/api/search': (own, others) =>
    joinHits(
      HitList.parse(own),
      others.flatMap(({ body }) => HitList.safeParse(body).data ?? []),
    ),
  '/api/usage': (own, others) =>
    joinUsage(
      UsageList.parse(own),
      others.flatMap(({ body }) => UsageList.safeParse(body).data ?? []),
    ),
  '/api/audit': (own, others) => joinAudit(AuditList.parse(own), others),
};

const sessionIn = (request: FastifyRequest): unknown => Object(request.query).session;

function withPermissions({ store }: RemoteContext, own: ReturnType<typeof PermissionList.parse>, session: unknown): object {
  const known = new Set(own.permissions.map(({ requestId }) => requestId));
  const others = [...store.sessions()].flatMap(({ shared }) => shared.waiting);
  const added = others.filter(({ requestId, sessionId }) => !known.has(requestId) && (session === undefined || sessionId === session));
  return { ...own, permissions: [...own.permissions, ...added].sort((a, b) => (a.at < b.at ? -1 : 1)) };
}

/** The best of each machine first: their ranks can't be compared, their order can. */
function joinHits(own: HitList, others: readonly HitList[]): HitList {
  const lists = [own, ...others];
  const longest = Math.max(...lists.map(({ hits }) => hits.length));
  const hits = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.hits[at] ?? [])).flat();
  return {
    ...own,
    hits,
    total: lists.reduce((sum, { total }) => sum + total, 0),
    more: own.more || others.some(({ more, nextCursor }) => more || nextCursor !== undefined),
    whole: lists.every(({ whole }) => whole),
  };
}

const FIGURES = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'costUsd', 'unpricedTokens', 'turns', 'durationMs', 'sessions'] as const;
type Figures = Readonly<Record<(typeof FIGURES)[number], number>>;

const added = <T extends Figures>(to: T, more: Figures): T => ({ ...to, ...Object.fromEntries(FIGURES.map((name) => [name, to[name] + more[name]])) });

function joinUsage(own: UsageList, others: readonly UsageList[]): UsageList {
  const rows = new Map(own.rows.map((row) => [row.key, row]));
  for (const row of others.flatMap((other) => other.rows)) {
    const known = rows.get(row.key);
    rows.set(row.key, known === undefined ? row : { ...added(known, row), ...joinedModels(known, row) });
  }
  const byDay = (a: UsageRow, b: UsageRow): number => (a.key < b.key ? -1 : 1);
  const byCost = (a: UsageRow, b: UsageRow): number => b.costUsd - a.costUsd || b.outputTokens - a.outputTokens;
  return {
    ...own,
    rows: [...rows.values()].sort(own.by === 'day' ? byDay : byCost),
    total: others.reduce((total, other) => added(total, other.total), own.total),
    unpriced: [...new Set([own, ...others].flatMap(({ unpriced }) => unpriced))],
    whole: [own, ...others].every(({ whole }) => whole),
  };
}

function joinedModels(a: UsageRow, b: UsageRow): Pick<UsageRow, 'models'> {
  if (a.models === undefined && b.models === undefined) return {};
  const models = new Map<string, { model: string; costUsd: number; tokens: number }>();
  for (const each of [...(a.models ?? []), ...(b.models ?? [])]) {
    const known = models.get(each.model);
    models.set(each.model, { model: each.model, costUsd: each.costUsd + (known?.costUsd ?? 0), tokens: each.tokens + (known?.tokens ?? 0) });
  }
  return { models: [...models.values()] };
}

function joinAudit(own: AuditList, others: readonly OtherAnswer[]): AuditList {
  const theirs = others.flatMap(({ machine, body }) => (AuditList.safeParse(body).data?.entries ?? []).map((entry) => ({ ...entry, machine })));
  return { ...own, entries: [...own.entries, ...theirs].sort((a, b) => (a.at > b.at ? -1 : 1)) };
}

import type { AuditParams } from '../../../client/http/settings-api.ts';

/** The filter as the form holds it; empty means any. */
export interface AuditFilter {
  readonly q: string;
  readonly actor: string;
  readonly action: string;
  readonly session: string;
  /** Days, in the format of a date field. */
  readonly from: string;
  readonly to: string;
}

export const NO_FILTER: AuditFilter = { q: '', actor: '', action: '', session: '', from: '', to: '' };

/** The filter in an address. */
export const filterIn = (search: Readonly<Record<string, unknown>>): AuditFilter => ({
  ...NO_FILTER,
  ...Object.fromEntries(Object.keys(NO_FILTER).flatMap((name) => (typeof search[name] === 'string' ? [[name, search[name]]] : []))),
});

/** The query for the server. Days are full days in the person's time zone. */
export function auditQuery({ q, actor, action, session, from, to }: AuditFilter): AuditParams {
  const after = from === '' ? '' : new Date(`${from}T00:00:00`).toISOString();
  const before = to === '' ? '' : new Date(new Date(`${to}T00:00:00`).getTime() + DAY_MS).toISOString();
  const requested = { q: q.trim(), actor: actor.trim(), action, session, after, before };
  return Object.fromEntries(Object.entries(requested).filter(([, value]) => value !== ''));
}

const DAY_MS = 24 * 60 * 60 * 1000;

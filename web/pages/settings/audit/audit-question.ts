import type { AuditQuestion } from '../../../client/http/settings-api.ts';

/** The filter as the form holds it; empty means any. */
export interface AuditFilter {
  readonly q: string;
  readonly actor: string;
  readonly action: string;
  readonly session: string;
  /** Days, as a date field gives them. */
  readonly from: string;
  readonly to: string;
}

export const NO_FILTER: AuditFilter = { q: '', actor: '', action: '', session: '', from: '', to: '' };

/** The filter as an address says it. */
export const filterIn = (search: Readonly<Record<string, unknown>>): AuditFilter => ({
  ...NO_FILTER,
  ...Object.fromEntries(Object.keys(NO_FILTER).flatMap((name) => (typeof search[name] === 'string' ? [[name, search[name]]] : []))),
});

/** The question to the server: whole days of the person's own clock. */
export function auditQuestion({ q, actor, action, session, from, to }: AuditFilter): AuditQuestion {
  const after = from === '' ? '' : new Date(`${from}T00:00:00`).toISOString();
  const before = to === '' ? '' : new Date(new Date(`${to}T00:00:00`).getTime() + DAY_MS).toISOString();
  const wished = { q: q.trim(), actor: actor.trim(), action, session, after, before };
  return Object.fromEntries(Object.entries(wished).filter(([, value]) => value !== ''));
}

const DAY_MS = 24 * 60 * 60 * 1000;

import type { Session } from '../../../src/protocol/session.ts';
import type { QueryParams } from '../../client/http/session-list-api.ts';

/** The list's filter as in its address; empty means any. */
export interface Filter {
  readonly q: string;
  readonly agent: string;
  readonly project: string;
  readonly status: string;
  readonly control: string;
  readonly tag: string;
  /** `true` or empty. */
  readonly star: string;
  readonly archived: string;
  /** How far back, or `between` two days. */
  readonly time: string;
  readonly from: string;
  readonly to: string;
  /** `project` or empty. */
  readonly group: string;
}

export const NO_FILTER: Filter = {
  q: '',
  agent: '',
  project: '',
  status: '',
  control: '',
  tag: '',
  star: '',
  archived: '',
  time: '',
  from: '',
  to: '',
  group: '',
};

const FIELDS = Object.keys(NO_FILTER) as readonly (keyof Filter)[];

/** Reads an address; unknown fields are ignored. */
export function filterOf(search: Readonly<Record<string, unknown>>): Filter {
  const known = FIELDS.flatMap((field) => (typeof search[field] === 'string' ? [[field, search[field]] as const] : []));
  return { ...NO_FILTER, ...Object.fromEntries(known) };
}

/** Only non-empty fields go into the address. */
export const searchOf = (filter: Filter): Partial<Filter> =>
  Object.fromEntries(FIELDS.flatMap((field) => (filter[field] === '' ? [] : [[field, filter[field]]])));

const DAY_MS = 24 * 60 * 60 * 1000;
export const TIMES = [
  ['1', 'Today'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['365', 'Last year'],
  ['between', 'Between…'],
] as const;

/** The query for the server; days are in the user's time zone. */
export function queryOf(filter: Filter, now: number): QueryParams {
  const { group: _, time: __, from: ___, to: ____, ...rest } = filter;
  const params: Record<string, string> = { ...rest, q: filter.q.trim(), ...spanOf(filter, now) };
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ''));
}

interface Span {
  readonly since: string;
  readonly until: string;
}

function spanOf({ time, from, to }: Filter, now: number): Span {
  if (time === 'between') return { since: from === '' ? '' : dayOf(from, 0), until: to === '' ? '' : dayOf(to, DAY_MS) };
  const days = Number(time);
  if (time === '' || !Number.isInteger(days)) return { since: '', until: '' };
  return { since: new Date(new Date(now).setHours(0, 0, 0, 0) - (days - 1) * DAY_MS).toISOString(), until: '' };
}

function dayOf(day: string, plusMs: number): string {
  const at = new Date(`${day}T00:00:00`).getTime();
  return Number.isNaN(at) ? '' : new Date(at + plusMs).toISOString();
}

/** Whether a changed session belongs in the list; the server applies the same rule. */
export function matches(filter: Filter, session: Session, now: number): boolean {
  const { since, until } = spanOf(filter, now);
  return (
    isOne(filter.agent, session.agent) &&
    isOne(filter.project, session.projectId) &&
    isOne(filter.status, session.waiting > 0 ? 'waiting' : session.status) &&
    isOne(filter.control, session.control) &&
    (filter.tag === '' || session.tags.includes(filter.tag) || session.messageTags?.includes(filter.tag) === true) &&
    (filter.star === '' || session.star) &&
    (session.archived === true) === (filter.archived === 'true') &&
    (since === '' || session.updatedAt >= since) &&
    (until === '' || session.updatedAt < until) &&
    hasWords(session, filter.q)
  );
}

const isOne = (filter: string, value: string): boolean => filter === '' || filter === value;

function hasWords({ title, lastLine = '', project, cwd }: Session, q: string): boolean {
  const text = `${title}\n${lastLine}\n${project}\n${cwd}`.toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Whether only fields that `/api/projects` knows are set: then its counts match this list. */
export const isCounted = (filter: Filter): boolean =>
  FIELDS.every((field) => field === 'agent' || field === 'project' || field === 'group' || filter[field] === '');

import type { Question } from '../../client/http/session-list-api.ts';

/** What is searched for, as the address carries it; empty means any. */
export interface Wanted {
  readonly q: string;
  readonly agent: string;
  readonly project: string;
  readonly kind: string;
  readonly session: string;
}

const NOTHING: Wanted = { q: '', agent: '', project: '', kind: '', session: '' };
const FIELDS = Object.keys(NOTHING) as readonly (keyof Wanted)[];

export function wantedOf(search: Readonly<Record<string, unknown>>): Wanted {
  const known = FIELDS.flatMap((field) => (typeof search[field] === 'string' ? [[field, search[field]] as const] : []));
  return { ...NOTHING, ...Object.fromEntries(known) };
}

export const addressOf = (wanted: Wanted): Partial<Wanted> =>
  Object.fromEntries(FIELDS.flatMap((field) => (wanted[field].trim() === '' ? [] : [[field, wanted[field]]])));

/** Conditions without words are a question too: which sessions had an error, for instance. */
export const questionOf = (wanted: Wanted): Question => Object.fromEntries(Object.entries(addressOf(wanted)).map(([name, value]) => [name, value.trim()]));

/** Words with one operator more, or with another value of it. */
export function withOperator(q: string, name: string, value: string): string {
  const rest = q
    .replaceAll(new RegExp(`(^|\\s)${name}:("[^"]*"|\\S*)`, 'g'), ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const term = `${name}:${/[\s"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value}`;
  return rest === '' ? term : `${rest} ${term}`;
}

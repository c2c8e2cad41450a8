import type { QueryParams } from '../../client/http/session-list-api.ts';

/** The search in the address; an empty field matches anything. */
export interface SearchFilters {
  readonly q: string;
  readonly agent: string;
  readonly project: string;
  readonly kind: string;
  readonly session: string;
}

const NOTHING: SearchFilters = { q: '', agent: '', project: '', kind: '', session: '' };
const FIELDS = Object.keys(NOTHING) as readonly (keyof SearchFilters)[];

export function searchFiltersOf(search: Readonly<Record<string, unknown>>): SearchFilters {
  const known = FIELDS.flatMap((field) => (typeof search[field] === 'string' ? [[field, search[field]] as const] : []));
  return { ...NOTHING, ...Object.fromEntries(known) };
}

export const searchAddressOf = (filters: SearchFilters): Partial<SearchFilters> =>
  Object.fromEntries(FIELDS.flatMap((field) => (filters[field].trim() === '' ? [] : [[field, filters[field]]])));

/** Filters without text are a query too: which sessions had an error, for example. */
export const searchQueryOf = (filters: SearchFilters): QueryParams =>
  Object.fromEntries(Object.entries(searchAddressOf(filters)).map(([name, value]) => [name, value.trim()]));

/** The query with an operator added or its value replaced. */
export function withOperator(q: string, name: string, value: string): string {
  const rest = q
    .replaceAll(new RegExp(`(^|\\s)${name}:("[^"]*"|\\S*)`, 'g'), ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const term = `${name}:${/[\s"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value}`;
  return rest === '' ? term : `${rest} ${term}`;
}

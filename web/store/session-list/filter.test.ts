import { expect, test } from 'vitest';
import { sessionOf } from '../../../test/support/replay/sample-sessions.ts';
import { type Filter, filterOf, isCounted, matches, NO_FILTER, queryOf, searchOf } from './filter.ts';

const NOW = new Date(2026, 10, 15, 12).getTime();

test('a filter survives the address, which has only non-empty fields', () => {
  const filter: Filter = { ...NO_FILTER, q: 'a & b', agent: 'demo', star: 'true', time: 'between', from: '2026-01-02' };
  expect(filterOf(Object.fromEntries(new URLSearchParams(searchOf(filter))))).toEqual(filter);
  expect(searchOf(NO_FILTER)).toEqual({});
  expect(filterOf({ q: 7, unknown: 'x', agent: 'demo' })).toEqual({ ...NO_FILTER, agent: 'demo' });
});

test('the query uses full days in the user’s time zone', () => {
  expect(queryOf({ ...NO_FILTER, time: '7' }, NOW)).toEqual({ since: new Date(2026, 10, 9).toISOString() });
  expect(queryOf({ ...NO_FILTER, time: 'between', from: '2026-03-01', to: '2026-03-02' }, NOW)).toEqual({
    since: new Date(2026, 2, 1).toISOString(),
    until: new Date(2026, 2, 3).toISOString(),
  });
  expect(queryOf({ ...NO_FILTER, time: 'between', from: 'nonsense' }, NOW)).toEqual({});
});

const session = sessionOf({ id: 's', title: 'Tidy the cache', tags: ['later'], agent: 'demo', lastLine: 'Done' });
const cases: readonly (readonly [string, Partial<Filter>, boolean])[] = [
  ['anything', {}, true],
  ['its agent', { agent: 'demo' }, true],
  ['another agent', { agent: 'other' }, false],
  ['its tag', { tag: 'later' }, true],
  ['a tag that it doesn’t have', { tag: 'sooner' }, false],
  ['starred sessions', { star: 'true' }, false],
  ['archived sessions', { archived: 'true' }, false],
  ['words of its title, in any order and case', { q: 'CACHE tidy' }, true],
  ['a word that it doesn’t contain', { q: 'cache fox' }, false],
  ['a state that it is not in', { status: 'busy' }, false],
];
for (const [name, part, expected] of cases)
  test(`a session ${expected ? 'matches' : 'doesn’t match'} a filter for ${name}`, () =>
    expect(matches({ ...NO_FILTER, ...part }, session, Date.now())).toBe(expected));

test('project counts are used only if the server counts with the same filter', () => {
  expect(isCounted({ ...NO_FILTER, agent: 'demo', project: 'p', group: 'project' })).toBe(true);
  expect(isCounted({ ...NO_FILTER, tag: 'x' })).toBe(false);
});

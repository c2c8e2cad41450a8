import { expect, test } from 'vitest';
import type { Session } from '../../../src/protocol/session.ts';
import { sessionOf } from '../../../test/support/replay/sample-sessions.ts';
import { seeded } from '../../../test/support/seeded.ts';
import { NO_FILTER } from '../../store/session-list/filter.ts';
import { ALL, emptyList, type ListState, listOf, settled, totalOf, withPage, withUpdates } from '../../store/session-list/list-state.ts';
import { indexOf, layoutOf, lineAt, neighbor } from './layout.ts';

const NOW = Date.now();
const at = (id: string, minutesAgo: number, more: object = {}): Session => sessionOf({ id, title: id, ...more }, minutesAgo);
const three = [at('a', 1), at('b', 2), at('c', 3)];
const listed = (state: ListState, listKey = ALL) => listOf(state, listKey).ids;
const whole = () => withPage(emptyList(), ALL, { sessions: three });
const changed = (state: ListState, ...sessions: Session[]) => withUpdates(state, { changed: sessions, deleted: [] }, NOW);
const project = (id: string, sessions: number) => ({ id, path: `/home/ada/${id}`, title: id, sessions, updatedAt: '2026-01-01T00:00:00.000Z', agents: [] });

test('a change is shown at once, but its session moves only when no pointer is over the list', () => {
  const updated = changed(whole(), at('c', 0, { lastLine: 'new words' }));
  expect(updated.sessions.get('c')?.lastLine).toBe('new words');
  expect(listed(updated)).toEqual(['a', 'b', 'c']);
  expect(listed(settled(updated, NOW))).toEqual(['c', 'a', 'b']);
});

test('a new session also waits until no pointer is over the list, and is listed once even if a page has it too', () => {
  const updated = settled(changed(whole(), at('d', 0)), NOW);
  expect(listed(updated)).toEqual(['d', 'a', 'b', 'c']);
  expect(listed(withPage(updated, ALL, { sessions: [at('d', 0)] }))).toEqual(['d', 'a', 'b', 'c']);
});

test('sessions that no longer match or were deleted leave the list', () => {
  const narrowed = { ...whole(), filter: { ...NO_FILTER, star: 'true' } };
  expect(listed(settled(changed(narrowed, at('b', 2, { star: false })), NOW))).toEqual(['a', 'c']);
  const deleted = withUpdates(whole(), { changed: [], deleted: ['a'] }, NOW);
  expect(listed(deleted)).toEqual(['a', 'b', 'c']);
  expect(deleted.sessions.has('a')).toBe(false);
  expect(listed(settled(deleted, NOW))).toEqual(['b', 'c']);
});

test('sessions beyond the loaded part are left to a later page', () => {
  const partly = withPage(emptyList(), ALL, { sessions: three, nextCursor: 'x' });
  expect(changed(partly, at('old', 60)).moved.size).toBe(0);
  expect(listed(settled(changed(partly, at('a', 60)), NOW))).toEqual(['b', 'c']);
});

test('after any changes the settled list is in order and has each session once', () => {
  const seed = 7;
  const random = seeded(seed);
  let state = withPage(emptyList(), ALL, { sessions: Array.from({ length: 50 }, (_, index) => at(`s${index}`, index + 1)) });
  for (let step = 0; step < 200; step++) {
    state = changed(state, at(`s${Math.floor(random() * 80)}`, Math.floor(random() * 100)));
    if (random() < 0.3) state = settled(state, NOW);
  }
  const ids = listed(settled(state, NOW));
  const times = ids.map((id) => state.sessions.get(id)?.updatedAt ?? '');
  expect(new Set(ids).size, `seed ${seed}`).toBe(ids.length);
  expect(times, `seed ${seed}`).toEqual([...times].sort().reverse());
});

test('a partly loaded list has its full height', () => {
  const partly = { ...withPage(emptyList(), ALL, { sessions: three, nextCursor: 'x' }), projects: [project('p', 6000), project('q', 4000)] };
  const layout = layoutOf(partly);
  expect(totalOf(partly, ALL)).toBe(10_000);
  expect(layout.count).toBe(10_000);
  expect(lineAt(layout, 2)).toEqual({ kind: 'session', id: 'c' });
  expect(lineAt(layout, 9_999)).toEqual({ kind: 'coming', listKey: ALL });
});

test('each project has a header, its sessions and its rows to load; a folded one has only its header', () => {
  const grouped: ListState = {
    ...withPage(emptyList({ ...NO_FILTER, group: 'project' }), 'p', { sessions: three }),
    projects: [project('p', 3), project('q', 5), project('r', 2)],
    folded: new Set(['r']),
  };
  const layout = layoutOf(grouped);
  expect([0, 1, 3, 4, 5, 9, 10].map((index) => lineAt(layout, index).kind)).toEqual(['group', 'session', 'session', 'group', 'coming', 'coming', 'group']);
  expect(layout.count).toBe(11);
  expect(indexOf(layout, 'b')).toBe(2);
  expect(neighbor(layout, -1, 1)).toBe('a');
  expect(neighbor(layout, indexOf(layout, 'c'), 1)).toBeUndefined();
});

test('a project without matches is hidden', () => {
  const narrowed = { ...emptyList({ ...NO_FILTER, group: 'project', tag: 'x' }), projects: [project('p', 3)] };
  expect(layoutOf(narrowed).count).toBeGreaterThan(0);
  expect(layoutOf(withPage(narrowed, 'p', { sessions: [] })).count).toBe(0);
});

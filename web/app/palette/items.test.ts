import { expect, test } from 'vitest';
import { sessionOf } from '../../../test/support/replay/sample-sessions.ts';
import { openActions } from '../../base/actions/actions.ts';
import { fuzzyScore } from './fuzzy.ts';
import { choiceGroups, paletteGroups, sessionGroups } from './items.ts';

const nothing = () => undefined;
const bound = () => {
  const actions = openActions();
  actions.bind(() => ({ 'session.new': nothing, 'go.usage': nothing, 'list.next': nothing }));
  actions.bind(() => ({ 'session.fork': nothing, 'session.model': { run: nothing, choices: [{ title: 'opus', run: nothing }] } }));
  return actions.bound();
};
const sessions = [sessionOf({ id: 'keys', title: 'Rotate signing keys', tags: ['release'] }), sessionOf({ id: 'docs', title: 'Docs search relevance' }, 5)];
const titles = (words: string) => paletteGroups(words, bound(), sessions).map(({ title, items }) => [title, items.map((item) => item.title)]);

test('an empty query shows the latest sessions, actions for this page, then all others; key-only actions are left out', () => {
  expect(titles('')).toEqual([
    ['Sessions', ['Rotate signing keys', 'Docs search relevance']],
    ['Here', ['Model…', 'Fork']],
    ['Everywhere', ['New session', 'Go to usage']],
  ]);
});

test('a few letters find actions and sessions, and offer to search everything', () => {
  expect(titles('ns')).toEqual([
    ['Sessions', ['Rotate signing keys']],
    ['Everywhere', ['New session']],
    ['Search', ['Search everything for “ns”']],
  ]);
});

test('a session is also found by its tag and folder', () => {
  expect(sessionGroups('release', sessions)[0]?.items.map(({ key }) => key)).toEqual(['session keys']);
  expect(sessionGroups('storefront', sessions)[0]?.items).toHaveLength(2);
});

test('an action with choices offers them', () => {
  const model = bound().find(({ id }) => id === 'session.model');
  expect(model && choiceGroups('op', model, 'Model').map(({ items }) => items.map(({ title }) => title))).toEqual([['opus']]);
  expect(model && choiceGroups('zz', model, 'Model')).toEqual([]);
});

const better = [
  ['sess', 'New session', 'Use as supper'],
  ['gd', 'Go to the deck', 'Rotate signing old keys'],
  ['usage', 'Go to usage', 'User has a garage'],
] as const;
for (const [letters, good, worse] of better) {
  test(`“${letters}” means “${good}” rather than “${worse}”`, () => {
    expect(fuzzyScore(letters, good) ?? -1000).toBeGreaterThan(fuzzyScore(letters, worse) ?? -1000);
  });
}

test('letters that don’t occur in this order don’t match', () => {
  expect(fuzzyScore('xyz', 'New session')).toBeUndefined();
  expect(fuzzyScore('wen', 'New')).toBeUndefined();
});

import { expect, test } from 'vitest';
import { newLink } from '../../client/socket/link.ts';
import { heardUntil, initialState } from './app-state.ts';
import { withLink } from './link-state.ts';

const open = (heardAt: number) => ({ ...newLink(), phase: { name: 'open' as const, serverId: 's', heardAt, pingedAt: 0 } });

test('a frame that tells only that the server lives changes nothing for the page', () => {
  const state = withLink(initialState(0), open(1));

  expect(withLink(state, open(2))).toBe(state);
});

test('a lost connection is told', () => {
  const state = withLink(initialState(0), open(1));

  expect(withLink(state, { ...newLink(), phase: { name: 'waiting', retryAt: 5 } })).toMatchObject({ phase: { name: 'waiting' }, wasOpen: true });
});

test('what goes on stands still from when the connection was lost until it is back, however often it is tried', () => {
  const lost = withLink({ ...withLink(initialState(0), open(1)), now: 7_000 }, { ...newLink(), phase: { name: 'waiting', retryAt: 9_000 } });
  const trying = withLink({ ...lost, now: 60_000 }, { ...newLink(), phase: { name: 'connecting', since: 60_000 } });
  const back = withLink({ ...trying, now: 61_000 }, open(61_000));

  expect([lost, trying, back].map(heardUntil)).toEqual([7_000, 7_000, 61_000]);
});

test('a page that has heard nothing yet has nothing that could stand still', () => {
  const waiting = withLink(initialState(5), { ...newLink(), phase: { name: 'waiting', retryAt: 9_000 } });

  expect(waiting.silentSince).toBeUndefined();
});

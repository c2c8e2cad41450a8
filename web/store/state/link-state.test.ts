import { expect, test } from 'vitest';
import { newLink } from '../../client/socket/link.ts';
import { activityNow, initialState } from './app-state.ts';
import { withLink } from './link-state.ts';

const open = (receivedAt: number) => ({ ...newLink(), phase: { name: 'open' as const, serverId: 's', receivedAt, pingedAt: 0 } });

test('a frame that only shows the server is alive changes nothing on the page', () => {
  const state = withLink(initialState(0), open(1));

  expect(withLink(state, open(2))).toBe(state);
});

test('a lost connection is shown', () => {
  const state = withLink(initialState(0), open(1));

  expect(withLink(state, { ...newLink(), phase: { name: 'waiting', retryAt: 5 } })).toMatchObject({ phase: { name: 'waiting' }, wasOpen: true });
});

test('the activity clock stops while the connection is lost, also during retries', () => {
  const lost = withLink({ ...withLink(initialState(0), open(1)), now: 7_000 }, { ...newLink(), phase: { name: 'waiting', retryAt: 9_000 } });
  const trying = withLink({ ...lost, now: 60_000 }, { ...newLink(), phase: { name: 'connecting', since: 60_000 } });
  const back = withLink({ ...trying, now: 61_000 }, open(61_000));

  expect([lost, trying, back].map(activityNow)).toEqual([7_000, 7_000, 61_000]);
});

test('a page that was never connected has no activity clock to stop', () => {
  const waiting = withLink(initialState(5), { ...newLink(), phase: { name: 'waiting', retryAt: 9_000 } });

  expect(waiting.disconnectedSince).toBeUndefined();
});

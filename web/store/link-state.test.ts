import { expect, test } from 'vitest';
import { newLink } from '../client/link.ts';
import { initialState } from './app-state.ts';
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

import { expect, test } from 'vitest';
import { WaitingPermission } from '../../../src/protocol/http.ts';
import { type AppState, initialState } from '../state/app-state.ts';
import { tidied } from './waiting.ts';

const permission = WaitingPermission.parse({
  requestId: 'r',
  sessionId: 's',
  sessionTitle: 'S',
  agent: 'demo',
  cwd: '/p',
  seq: 3,
  at: '2026-01-01T00:00:00.000Z',
  tool: 't',
  input: {},
  kind: 'tool',
});
const state = (fields: Partial<AppState>): AppState => ({ ...initialState(10_000), left: [{ permission, leftAt: 1000 }], ...fields });

test('a card that was decided goes after a while', () => {
  expect(tidied(state({ now: 5900 })).left).toHaveLength(1);
  expect(tidied(state({ now: 6100 })).left).toEqual([]);
});

test('nothing goes while a hand is on the list', () => {
  expect(tidied(state({ now: 60_000, handAt: 59_000 })).left).toHaveLength(1);
  expect(tidied(state({ now: 60_000, handAt: 58_000 })).left).toEqual([]);
});

test('what belonged to it goes with it, what belongs to others stays', () => {
  const plans = new Map([
    ['r', 'gone'],
    ['other', 'gone too'],
  ]);
  const next = tidied(state({ plans, permissions: [{ ...permission, requestId: WaitingPermission.shape.requestId.parse('other') }] }));
  expect([...next.plans.keys()]).toEqual(['other']);
});

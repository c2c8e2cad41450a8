import { expect, test } from 'vitest';
import { ResolvedRequest } from '../../../src/protocol/frame.ts';
import { WaitingPermission } from '../../../src/protocol/http.ts';
import { type AppState, initialState } from '../state/app-state.ts';
import { tidied, withWaiting } from './pending-requests.ts';

const asks = (requestId: string): WaitingPermission =>
  WaitingPermission.parse({
    requestId,
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
const denied = (requestId: string): ResolvedRequest =>
  ResolvedRequest.parse({ requestId, outcome: 'denied', by: { kind: 'person', id: 'b', name: 'Bob' }, at: '2026-01-01T00:00:01.000Z', message: 'no' });

const permission = asks('r');
const state = (fields: Partial<AppState>): AppState => ({ ...initialState(10_000), left: [{ permission, leftAt: 1000 }], ...fields });

const waitingIn = ({ permissions }: AppState) => permissions.map(({ requestId }) => requestId);
const leftIn = ({ left }: AppState) => left.map((each) => [each.permission.requestId, each.resolved?.by?.name]);
const stateWith = (...requestIds: readonly string[]) =>
  withWaiting(initialState(0), { type: 'waiting', reset: true, added: requestIds.map(asks), resolved: [] }, 10_000);

test('[R308] the first frame lists all pending requests, even if there are none', () => {
  expect(initialState(0).permissionsKnown).toBe(false);
  expect(stateWith()).toMatchObject({ permissionsKnown: true, permissions: [], left: [] });
  expect(waitingIn(stateWith('a', 'b'))).toEqual(['a', 'b']);
});

test('[R308] a new request is added; a decided one leaves after showing who decided and how', () => {
  const next = withWaiting(stateWith('a', 'b'), { type: 'waiting', added: [asks('c')], resolved: [denied('a')] }, 12_000);
  expect(waitingIn(next)).toEqual(['b', 'c']);
  expect(next.left).toEqual([{ permission: asks('a'), leftAt: 12_000, resolved: denied('a') }]);
});

test('[R308] after a reconnect the reset list counts: missing requests are closed, with their result if the server knows it', () => {
  const next = withWaiting(
    stateWith('a', 'b', 'c'),
    { type: 'waiting', reset: true, added: [asks('c'), asks('d')], resolved: [denied('a'), denied('x')] },
    12_000,
  );
  expect(waitingIn(next)).toEqual(['c', 'd']);
  expect(leftIn(next)).toEqual([
    ['a', 'Bob'],
    ['b', undefined],
  ]);
});

test('the same update twice changes nothing, and an unknown request that ends is ignored', () => {
  const before = stateWith('a', 'b');
  const again = withWaiting(before, { type: 'waiting', reset: true, added: [asks('a'), asks('b')], resolved: [denied('x')] }, 12_000);
  const unknown = withWaiting(again, { type: 'waiting', added: [asks('a')], resolved: [denied('x')] }, 12_000);
  expect(again.permissions).toBe(before.permissions);
  expect(unknown.permissions).toBe(before.permissions);
  expect(unknown.left).toBe(before.left);
});

test('a request that comes back is listed once', () => {
  const gone = withWaiting(stateWith('a'), { type: 'waiting', reset: true, added: [], resolved: [] }, 12_000);
  const back = withWaiting(gone, { type: 'waiting', reset: true, added: [asks('a')], resolved: [] }, 13_000);
  expect(leftIn(gone)).toEqual([['a', undefined]]);
  expect([waitingIn(back), leftIn(back)]).toEqual([['a'], []]);
});

test('a decided card disappears after a while', () => {
  expect(tidied(state({ now: 5900 })).left).toHaveLength(1);
  expect(tidied(state({ now: 6100 })).left).toEqual([]);
});

test('nothing disappears while the user touches the list', () => {
  expect(tidied(state({ now: 60_000, userInputAt: 59_000 })).left).toHaveLength(1);
  expect(tidied(state({ now: 60_000, userInputAt: 58_000 })).left).toEqual([]);
});

test('a removed request takes its answers and plans with it, and those of others stay', () => {
  const plans = new Map([
    ['r', 'gone'],
    ['other', 'gone too'],
  ]);
  const next = tidied(state({ plans, permissions: [asks('other')] }));
  expect([...next.plans.keys()]).toEqual(['other']);
});

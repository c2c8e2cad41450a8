import { afterEach, expect, test } from 'vitest';
import { WebSocket as NodeWebSocket } from 'ws';
import { openReplayServer, type ReplayServer } from '../../../test/support/replay/replay-server.ts';
import { sampleRequests } from '../../../test/support/replay/sample-requests.ts';
import { createApi } from '../../client/http/api.ts';
import { storedDrafts } from '../../client/storage/drafts.ts';
import { memoryOutbox } from '../../client/storage/outbox.ts';
import { type Cockpit, openCockpit } from '../cockpit.ts';
import type { AppState } from '../state/app-state.ts';
import { givenAnswer } from './answers.ts';

const LIMIT_MS = 10_000;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function visit(): Promise<{ readonly replay: ReplayServer; readonly cockpit: Cockpit }> {
  const replay = await openReplayServer(sampleRequests());
  closers.push(() => replay.close());
  const cockpit = await openCockpit({
    socketUrl: `${replay.url.replace('http', 'ws')}ws`,
    api: createApi(replay.url),
    outbox: memoryOutbox(),
    drafts: storedDrafts({ getItem: () => null, setItem: () => undefined, removeItem: () => undefined }),
    schedule: (draw) => void setImmediate(draw),
    newId: () => `c-${process.hrtime.bigint()}`,
    now: Date.now,
    WebSocket: NodeWebSocket as unknown as typeof WebSocket,
  });
  closers.push(() => cockpit.close());
  await until(cockpit, 'the requests are known', (state) => state.permissions.length > 0);
  return { replay, cockpit };
}

function until(cockpit: Cockpit, what: string, holds: (state: AppState) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`did not happen: ${what}`)), LIMIT_MS);
    const check = () => {
      if (!holds(cockpit.store.getState())) return;
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const unsubscribe = cockpit.store.subscribe(check);
    check();
  });
}

const REQUEST = { requestId: 'r-shard', sessionId: 'shard' } as const;
const isLeft = (state: AppState) => state.left.some(({ permission, resolved }) => permission.requestId === REQUEST.requestId && resolved !== undefined);

test('[R126] an answer shows at once and is sent once, however often it is pressed', async () => {
  const { replay, cockpit } = await visit();
  const first = cockpit.answer({ ...REQUEST, behavior: 'allow' });
  expect(givenAnswer(cockpit.store.getState(), REQUEST.requestId)).toEqual({ phase: 'sent', behavior: 'allow' });
  await Promise.all([first, cockpit.answer({ ...REQUEST, behavior: 'deny' }), cockpit.answer({ ...REQUEST, behavior: 'allow' })]);
  await until(cockpit, 'it is durable', (state) => givenAnswer(state, REQUEST.requestId)?.phase === 'durable');

  expect(replay.received.filter((frame) => frame.type === 'permission')).toHaveLength(1);
});

test('a decided request stays for a moment and says who decided', async () => {
  const { cockpit } = await visit();
  await cockpit.answer({ ...REQUEST, behavior: 'deny', message: 'no' });
  await until(cockpit, 'its end is known', isLeft);

  expect(cockpit.store.getState().left[0]?.resolved).toMatchObject({ outcome: 'denied', message: 'no', by: { name: 'Ada' } });
});

test('a request decided by someone else shows the same way', async () => {
  const { replay, cockpit } = await visit();
  replay.book.append('shard', {
    type: 'permission.resolved',
    requestId: REQUEST.requestId,
    outcome: 'allowed',
    actor: { kind: 'person', id: 'b', name: 'Bob' },
  });
  await until(cockpit, 'its end is known', isLeft);

  expect(givenAnswer(cockpit.store.getState(), REQUEST.requestId)).toBeUndefined();
  expect(cockpit.store.getState().left[0]?.resolved?.by?.name).toBe('Bob');
});

test('a refused answer is shown on its card, and the request can be answered again', async () => {
  const { cockpit } = await visit();
  await cockpit.answer({ requestId: 'r-nobody', sessionId: 'shard', behavior: 'allow' });
  await until(cockpit, 'it is refused', (state) => givenAnswer(state, 'r-nobody')?.phase === 'refused');
  await cockpit.answer({ requestId: 'r-nobody', sessionId: 'shard', behavior: 'deny' });

  expect(givenAnswer(cockpit.store.getState(), 'r-nobody')).toMatchObject({ behavior: 'deny' });
});

test('a plan that is only in the tool call is found there', async () => {
  const { replay, cockpit } = await visit();
  const call = replay.book.append('plan', { type: 'tool.started', toolUseId: 'u9', name: 'Plan', input: { plan: 'from the call' }, itemId: 'i9' });
  await cockpit.findPlan({ requestId: 'r-late', sessionId: 'plan', seq: call.seq + 1, toolUseId: 'u9' });

  expect(cockpit.store.getState().plans.get('r-late')).toBe('from the call');
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { openTranscript } from '../../../src/domain/transcript/transcript.ts';
import { Event } from '../../../src/protocol/event.ts';
import { sessionOf } from '../../../test/support/replay/sample-sessions.ts';
import { createApi } from '../../client/http/api.ts';
import { storedDrafts } from '../../client/storage/drafts.ts';
import { memoryOutbox } from '../../client/storage/outbox.ts';
import { type AppState, initialState } from '../state/app-state.ts';
import type { StoreContext } from '../state/store-context.ts';
import { type Steering, steering } from './steering.ts';

let server: Server;
let context: StoreContext;
let steer: Steering;
/** How many answers are still to be lost: the request arrives, and then the connection breaks. */
let lost: number;
let refusal: number | undefined;
let received: { readonly path: string; readonly body: Readonly<Record<string, unknown>> }[];

beforeEach(async () => {
  [lost, refusal, received] = [0, undefined, []];
  server = createServer((request, response) => {
    void textOf(request).then((body) => {
      received.push({ path: request.url ?? '', body: JSON.parse(body || '{}') });
      if (lost-- > 0) return request.socket.destroy();
      response.setHeader('content-type', 'application/json').statusCode = refusal ?? 200;
      return response.end(JSON.stringify(refusal === undefined ? sessionOf({ id: 'made', title: 'made' }) : { error: { code: 'conflict', message: 'No.' } }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context = contextFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  steer = steering(context);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function contextFor(url: string): StoreContext {
  let count = 0;
  const options = {
    socketUrl: '',
    api: createApi(url),
    outbox: memoryOutbox(),
    drafts: storedDrafts({ getItem: () => null, setItem: () => undefined, removeItem: () => undefined }),
    schedule: (draw: () => void) => draw(),
    newId: () => `id${++count}`,
    now: () => 0,
  };
  const store = createStore<AppState>(() => ({ ...initialState(0), you: { id: 'ada', name: 'Ada', role: 'owner' } }));
  return { options, store, client: () => Promise.reject(new Error('no socket here')) as never };
}

const ids = () => received.map(({ body }) => body.commandId ?? body.id);
const parent = sessionOf({ id: 's', title: 'one' });
const withConversation = { ...parent, agentSessionId: 'a1' };

const presses: readonly (readonly [name: string, press: () => Promise<unknown>])[] = [
  ['a fork', () => steer.fork('s', 4)],
  ['a handover', () => steer.handOver('s', 'extract').catch(() => undefined)],
  ['a rewind to a message', () => steer.continueFrom(withConversation, 4)],
];
for (const [name, press] of presses) {
  test(`${name} whose answer was lost is retried under the same id, and the next one gets a new id`, async () => {
    lost = 1;
    expect(await press()).toBeUndefined();
    expect(await press()).toMatchObject({ id: 'made' });
    await press();

    expect(ids()).toEqual(['id1', 'id1', 'id2']);
  });
}

test('a refused request gets a new id, and so does a different request', async () => {
  refusal = 409;
  await steer.fork('s', 4);
  await steer.fork('s', 4);
  await steer.fork('s', 5);

  expect(ids()).toEqual(['id1', 'id2', 'id3']);
});

test('a move whose answer was lost is retried under the same id, and a new move gets another', async () => {
  lost = 1;
  await steer.moveQueued('s', 'c1', null);
  await steer.moveQueued('s', 'c1', null);

  expect(ids()).toEqual(['id1', 'id1', 'id2']);
});

test('a session without a conversation can’t be continued: no new one starts instead', async () => {
  expect(await steer.continueFrom(parent, 4)).toBeUndefined();

  expect(received).toEqual([]);
  expect(context.store.getState().notices[0]?.text).toMatch(/no conversation/);
});

test('an edited queued message whose answer was lost is retried under the same id and stays out of the composer', async () => {
  lost = 1;
  await steer.editQueued('s', 'c1', 'better');

  expect(ids()).toEqual(['id1', 'id1']);
  expect(context.store.getState().drafts.get('s')).toBeUndefined();
});

const at = '2026-01-01T00:00:00.000Z';
const accepted = Event.parse({ type: 'input.accepted', seq: 1, at, commandId: 'c1', text: 'good', mode: 'queue' });
const edited = Event.parse({ type: 'input.edited', seq: 2, at, commandId: 'c1', text: 'better' });
const show = (...events: readonly Event[]) =>
  context.store.setState({ open: new Map([['s', { transcript: openTranscript(events), older: 'idle', jumps: 0 }]]) });

test('if every answer is lost, the event decides, whether it comes before or after', async () => {
  lost = 4;
  show(accepted, edited);
  await steer.editQueued('s', 'c1', 'better');
  expect(context.store.getState().drafts.get('s')).toBeUndefined();

  show(accepted);
  await steer.editQueued('s', 'c1', 'better');
  expect(context.store.getState().drafts.get('s')).toBe('better');
  show(accepted, edited);
  expect(context.store.getState().drafts.get('s')).toBe('');
});

test('a refused edit stays in the composer', async () => {
  refusal = 409;
  await steer.editQueued('s', 'c1', 'better');

  expect(received).toHaveLength(1);
  expect(context.store.getState().drafts.get('s')).toBe('better');
});

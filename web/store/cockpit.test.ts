import { afterEach, expect, test } from 'vitest';
import { WebSocket as NodeWebSocket } from 'ws';
import { openTranscript } from '../../src/domain/transcript/transcript.ts';
import { openReplayServer, type ReplayServer } from '../../test/support/replay-server.ts';
import { sessionOf } from '../../test/support/sample-sessions.ts';
import { seeded } from '../../test/support/seeded.ts';
import { createApi } from '../client/api.ts';
import { storedDrafts } from '../client/drafts.ts';
import { memoryOutbox, type Outbox } from '../client/outbox.ts';
import type { AppState } from './app-state.ts';
import { type Cockpit, openCockpit } from './cockpit.ts';

const LIMIT_MS = 10_000;
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serve(): Promise<ReplayServer> {
  const replay = await openReplayServer([{ session: sessionOf({ id: 's', title: 'one' }), events: [] }]);
  closers.push(() => replay.close());
  return replay;
}

const memoryStorage = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
};

async function visit(replay: ReplayServer, outbox: Outbox = memoryOutbox(), storage = memoryStorage()): Promise<Cockpit> {
  let count = 0;
  const cockpit = await openCockpit({
    socketUrl: `${replay.url.replace('http', 'ws')}ws`,
    api: createApi(replay.url),
    outbox,
    drafts: storedDrafts(storage),
    schedule: (draw) => void setImmediate(draw),
    newId: () => `c${++count}-${process.hrtime.bigint()}`,
    now: Date.now,
    WebSocket: NodeWebSocket as unknown as typeof WebSocket,
  });
  closers.push(() => cockpit.close());
  return cockpit;
}

/** Resolves when the store says so; the limit has a name so that a hang tells what was missing. */
function until(cockpit: Cockpit, what: string, holds: (state: AppState) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`did not happen: ${what}`)), LIMIT_MS);
    const look = () => {
      if (!holds(cockpit.store.getState())) return;
      clearTimeout(timer);
      leave();
      resolve();
    };
    const leave = cockpit.store.subscribe(look);
    look();
  });
}

const transcriptOf = (cockpit: Cockpit) => cockpit.store.getState().open.get('s')?.transcript;
const isOpen = (state: AppState) => state.phase.name === 'open';
const isCaughtUp = (replay: ReplayServer) => (state: AppState) => state.open.get('s')?.transcript.lastSeq === replay.book.pages.get('s')?.events.length;
const messages = (replay: ReplayServer) => replay.book.pages.get('s')?.events.filter((event) => event.type === 'input.accepted') ?? [];

test('[R120] a message sent over a connection that dies before the answer is accepted exactly once', async () => {
  const replay = await serve();
  const cockpit = await visit(replay);
  cockpit.openSession('s');
  await until(cockpit, 'the session opens', (state) => state.open.has('s'));
  replay.isMute = true;
  await cockpit.sendInput('s', 'hello');
  await until(cockpit, 'it waits for the answer', (state) => state.unsent.length === 1);
  replay.isMute = false;
  replay.drop();
  await until(cockpit, 'it is acknowledged', (state) => isOpen(state) && state.unsent.length === 0 && isCaughtUp(replay)(state));

  expect(messages(replay)).toHaveLength(1);
  expect(transcriptOf(cockpit)?.inputs.size).toBe(1);
});

test('a message typed without a connection is kept, and sent by the next page that opens', async () => {
  const replay = await serve();
  const outbox = memoryOutbox();
  const first = await visit(replay, outbox);
  await until(first, 'the first page connects', isOpen);
  first.close();
  await first.sendInput('s', 'kept');
  const second = await visit(replay, outbox);
  await until(second, 'nothing is left to send', (state) => isOpen(state) && state.unsent.length === 0 && messages(replay).length === 1);

  expect(messages(replay)[0]).toMatchObject({ text: 'kept' });
  expect(await outbox.all()).toEqual([]);
});

test('a refused message goes back to the composer, with the reason', async () => {
  const replay = await serve();
  const cockpit = await visit(replay);
  cockpit.openSession('s');
  await cockpit.sendInput('s', 'refuse me');
  await until(cockpit, 'it is refused', (state) => state.refusals.has('s'));
  const state = cockpit.store.getState();

  expect(state.drafts.get('s')).toBe('refuse me');
  expect(state.refusals.get('s')).toContain('full');
  expect(cockpit.draftOf('s')).toBe('refuse me');
});

test('text of which a piece was missed is asked for again and then whole', async () => {
  const replay = await serve();
  const cockpit = await visit(replay);
  cockpit.openSession('s');
  await until(cockpit, 'the session opens', (state) => state.open.has('s'));
  const piece = { itemId: 'i1', messageId: 'm', index: 0, kind: 'text' } as const;
  const page = replay.book.pages.get('s');
  if (page !== undefined) page.partial = [{ ...piece, offset: 0, text: 'Hello you' }];
  replay.book.tell({ type: 'delta', sessionId: page?.session.id ?? sessionOf({ id: 's', title: '' }).id, ...piece, offset: 6, text: 'you' });
  await until(cockpit, 'the text is there', (state) => state.open.get('s')?.transcript.live.has('i1') === true);

  expect(transcriptOf(cockpit)?.live.get('i1')).toMatchObject({ text: 'Hello you' });
});

for (const seed of [1, 2, 3, 4, 5]) {
  test(`[R121] the store equals the journal after a storm of drops (seed ${seed})`, async () => {
    const replay = await serve();
    const cockpit = await visit(replay);
    cockpit.openSession('s');
    await until(cockpit, 'the session opens', (state) => state.open.has('s'));
    const random = seeded(seed);
    for (let count = 0; count < 60; count++) {
      const dice = random();
      if (dice < 0.1) replay.drop();
      else if (dice < 0.4) await cockpit.sendInput('s', `message ${count}`);
      else replay.book.append('s', { type: 'assistant.text', itemId: `i${count}`, messageId: 'm', index: count, text: `answer ${count}` });
      if (dice > 0.9) await back(cockpit);
    }
    await back(cockpit);
    await until(cockpit, 'everything is sent and seen', (state) => isOpen(state) && state.unsent.length === 0 && isCaughtUp(replay)(state));
    const events = replay.book.pages.get('s')?.events ?? [];

    expect(transcriptOf(cockpit)).toEqual(openTranscript(events));
    expect(new Set(messages(replay).map((event) => ('text' in event ? event.text : ''))).size).toBe(messages(replay).length);
  });
}

async function back(cockpit: Cockpit): Promise<void> {
  cockpit.nudge();
  await until(cockpit, 'it connects again', isOpen);
}

test('words typed for a waiting message are still there for it after a reload, and go to the composer once it waits no more', async () => {
  const replay = await serve();
  const storage = memoryStorage();
  (await visit(replay, memoryOutbox(), storage)).setUnkept('s', { commandId: 'c', text: 'two\nlines' });
  const later = await visit(replay, memoryOutbox(), storage);
  later.rescueUnkept('s', ['b', 'c']);
  expect([later.unkeptOf('s'), later.draftOf('s')]).toEqual([{ commandId: 'c', text: 'two\nlines' }, '']);
  later.rescueUnkept('s', ['b']);
  later.rescueUnkept('s', ['b']);
  expect([later.unkeptOf('s'), later.draftOf('s')]).toEqual([undefined, 'two\nlines']);
});

import { afterEach, expect, test } from 'vitest';
import { WebSocket as NodeWebSocket } from 'ws';
import { openTranscript } from '../../src/domain/transcript/transcript.ts';
import { CommandId, SessionId } from '../../src/protocol/ids.ts';
import { openReplayServer, type ReplayServer } from '../../test/support/replay/replay-server.ts';
import { sessionOf } from '../../test/support/replay/sample-sessions.ts';
import { seeded } from '../../test/support/seeded.ts';
import { createApi } from '../client/http/api.ts';
import { memoryAttachments } from '../client/storage/attachments.ts';
import { storedDrafts } from '../client/storage/drafts.ts';
import { memoryOutbox, noOutbox, type Outbox } from '../client/storage/outbox.ts';
import { type Cockpit, openCockpit } from './cockpit.ts';
import type { AppState } from './state/app-state.ts';

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
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
};

async function visit(
  replay: ReplayServer,
  outbox: Outbox = memoryOutbox(),
  drafts = storedDrafts(memoryStorage()),
  attachments = memoryAttachments(),
): Promise<Cockpit> {
  let count = 0;
  const cockpit = await openCockpit({
    socketUrl: `${replay.url.replace('http', 'ws')}ws`,
    api: createApi(replay.url),
    outbox,
    drafts,
    attachments,
    schedule: (draw) => void setImmediate(draw),
    newId: () => `c${++count}-${process.hrtime.bigint()}`,
    now: Date.now,
    WebSocket: NodeWebSocket as unknown as typeof WebSocket,
  });
  closers.push(() => cockpit.close());
  return cockpit;
}

/** Resolves when the store's state matches. The limit has a name, so that a timeout says what was missing. */
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

test('a message sent offline is stored and sent by the next page that opens', async () => {
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

test('a text with a missing piece is requested again and then complete', async () => {
  const replay = await serve();
  const cockpit = await visit(replay);
  cockpit.openSession('s');
  await until(cockpit, 'the session opens', (state) => state.open.has('s'));
  const piece = { itemId: 'i1', messageId: 'm', index: 0, kind: 'text' } as const;
  const page = replay.book.pages.get('s');
  if (page !== undefined) page.partial = [{ ...piece, offset: 0, text: 'Hello you' }];
  replay.book.tell({ type: 'delta', sessionId: page?.session.id ?? sessionOf({ id: 's', title: '' }).id, ...piece, offset: 6, text: 'you' });
  await until(cockpit, 'the text arrives', (state) => state.open.get('s')?.transcript.live.has('i1') === true);

  expect(transcriptOf(cockpit)?.live.get('i1')).toMatchObject({ text: 'Hello you' });
});

for (const seed of [1, 2, 3, 4, 5]) {
  test(`[R121] the store equals the journal after many dropped connections (seed ${seed})`, async () => {
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
      if (dice > 0.9) await reconnect(cockpit);
    }
    await reconnect(cockpit);
    await until(cockpit, 'everything is sent and seen', (state) => isOpen(state) && state.unsent.length === 0 && isCaughtUp(replay)(state));
    const events = replay.book.pages.get('s')?.events ?? [];

    expect(transcriptOf(cockpit)).toEqual(openTranscript(events));
    expect(new Set(messages(replay).map((event) => ('text' in event ? event.text : ''))).size).toBe(messages(replay).length);
  });
}

async function reconnect(cockpit: Cockpit): Promise<void> {
  cockpit.nudge();
  await until(cockpit, 'it reconnects', isOpen);
}

const ANNA = { id: 'anna', name: 'Anna', role: 'driver' } as const;
const OWNER = { id: 'owner', name: 'owner', role: 'owner' } as const;
const reference = { path: 'a.ts' };

test('drafts, attachments and unsent messages of one user are neither shown to nor sent by the next, and come back', async () => {
  const replay = await serve();
  const [outbox, drafts, attachments] = [memoryOutbox(), storedDrafts(memoryStorage()), memoryAttachments()];
  replay.book.you = ANNA;
  const annas = await visit(replay, outbox, drafts, attachments);
  await until(annas, 'Anna is signed in', (state) => state.you?.id === 'anna');
  annas.openSession('s');
  annas.setDraft('s', 'half a thought');
  annas.attach('s', () => ({ pictures: [], context: [reference] }));
  annas.close();
  await annas.answer({ requestId: 'r', sessionId: 's', behavior: 'allow', remember: { scope: 'everywhere' } });

  replay.book.you = OWNER;
  const owners = await visit(replay, outbox, drafts, attachments);
  owners.openSession('s');
  expect(owners.store.getState().drafts.get('s')).toBe('');
  await until(owners, 'the owner is signed in', (state) => state.you?.id === 'owner' && state.attached.has('s'));
  await owners.sendInput('s', 'mine');
  await until(owners, 'the owner’s own message is sent', (state) => state.unsent.length === 0 && messages(replay).length === 1);
  expect(owners.draftOf('s')).toBe('');
  expect(owners.store.getState().attached.get('s')?.context).toEqual([]);
  expect(replay.received.filter((frame) => frame.type === 'permission')).toEqual([]);
  owners.close();

  replay.book.you = ANNA;
  const again = await visit(replay, outbox, drafts, attachments);
  again.openSession('s');
  await until(again, 'her draft is back', (state) => state.drafts.get('s') === 'half a thought' && state.attached.get('s')?.context.length === 1);
  await until(again, 'her answer goes out', () => replay.received.some((frame) => frame.type === 'permission'));
});

test('attachments added before the page knows who is signed in are kept, together with earlier ones', async () => {
  const cockpit = await visit(await serve());
  cockpit.openSession('s');
  cockpit.attach('s', () => ({ pictures: [], context: [reference] }));
  expect(cockpit.store.getState().you).toBeUndefined();
  await until(cockpit, 'the page knows the user', (state) => state.you !== undefined);
  cockpit.attach('s', (now) => ({ ...now, context: [...now.context, { path: 'b.ts' }] }));
  await new Promise(setImmediate);
  expect(cockpit.store.getState().attached.get('s')?.context).toEqual([reference, { path: 'b.ts' }]);
});

test('an open page stores one user’s drafts when another signs in', async () => {
  const replay = await serve();
  replay.book.you = ANNA;
  const drafts = storedDrafts(memoryStorage());
  const cockpit = await visit(replay, memoryOutbox(), drafts);
  await until(cockpit, 'Anna is signed in', (state) => state.you?.id === 'anna');
  cockpit.openSession('s');
  cockpit.setDraft('s', 'half a thought');
  replay.book.you = OWNER;
  replay.drop();
  await until(cockpit, 'the owner is signed in', (state) => state.you?.id === 'owner');

  expect(cockpit.store.getState().drafts.get('s')).toBe('');
  expect(drafts.get('anna', 's')).toBe('half a thought');
});

test('a message stored without an author by an earlier release goes to the composer with a notice and is not sent', async () => {
  const replay = await serve();
  const outbox = memoryOutbox();
  const frame = { type: 'input', sessionId: SessionId.parse('s'), commandId: CommandId.parse('old'), text: 'from before' } as const;
  await outbox.put({ commandId: 'old', sessionId: 's', createdAt: 0, frame });
  const cockpit = await visit(replay, outbox);
  await until(cockpit, 'it is a draft', (state) => state.drafts.get('s') === 'from before');
  await expect.poll(() => outbox.all()).toEqual([]);

  expect(messages(replay)).toEqual([]);
  expect(cockpit.store.getState().notices[0]?.text).toMatch(/doesn’t say who wrote it/);
});

test('text that the browser can’t store stays in the composer with a notice until the server has it, and is sent once', async () => {
  const replay = await serve();
  const cockpit = await visit(replay, noOutbox());
  await until(cockpit, 'it connects', isOpen);
  cockpit.openSession('s');
  replay.isMute = true;
  cockpit.setDraft('s', 'precious');
  await cockpit.sendDraft('s', 'queue');
  await cockpit.sendDraft('s', 'queue');
  expect(cockpit.draftOf('s')).toBe('precious');
  expect(cockpit.store.getState().notices[0]?.text).toMatch(/couldn’t save the message/);
  replay.isMute = false;
  replay.drop();
  await until(cockpit, 'the server has it', (state) => state.unsent.length === 0 && state.drafts.get('s') === '');

  expect(messages(replay)).toHaveLength(1);
});

test('an edit of a queued message survives a reload, and goes to the composer once the message is no longer queued', async () => {
  const replay = await serve();
  const storage = memoryStorage();
  const isKnown = (state: AppState) => state.you !== undefined;
  const first = await visit(replay, memoryOutbox(), storedDrafts(storage));
  await until(first, 'the first page is signed in', isKnown);
  first.setUnsavedEdit('s', { commandId: 'c', text: 'two\nlines' });
  const later = await visit(replay, memoryOutbox(), storedDrafts(storage));
  await until(later, 'the second page is signed in', isKnown);
  later.rescueUnsavedEdit('s', ['b', 'c']);
  expect([later.unsavedEditOf('s'), later.draftOf('s')]).toEqual([{ commandId: 'c', text: 'two\nlines' }, '']);
  later.rescueUnsavedEdit('s', ['b']);
  later.rescueUnsavedEdit('s', ['b']);
  expect([later.unsavedEditOf('s'), later.draftOf('s')]).toEqual([undefined, 'two\nlines']);
});

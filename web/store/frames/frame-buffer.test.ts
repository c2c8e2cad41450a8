import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { openTranscript } from '../../../src/domain/transcript/transcript.ts';
import type { Event } from '../../../src/protocol/event.ts';
import type { ServerFrame } from '../../../src/protocol/frame.ts';
import type { SessionId } from '../../../src/protocol/ids.ts';
import { type AppState, initialState } from '../state/app-state.ts';
import type { StoreContext } from '../state/store-context.ts';
import { frameBuffer } from './frame-buffer.ts';

const NO_LISTENERS = { onUpdates: () => undefined, onList: () => undefined, onWelcome: () => undefined };

/** A page that has these sessions open and renders when the test says so. */
function pageOf(...ids: readonly string[]) {
  let typingMs = 0;
  const open = new Map(ids.map((id) => [id, { transcript: openTranscript([]), older: 'idle' as const, jumps: 0 }]));
  const store = createStore<AppState>(() => ({ ...initialState(0), open }));
  const planned: { readonly draw: () => void; readonly afterMs: number }[] = [];
  const options = { schedule: (draw: () => void, afterMs: number) => void planned.push({ draw, afterMs }), typingMs: () => typingMs, now: () => 0 };
  const receive = frameBuffer({ store, options, client: () => expect.fail('nothing was missing') } as unknown as StoreContext, NO_LISTENERS);
  return {
    type: (ms: number) => {
      typingMs = ms;
    },
    receive: (...frames: readonly ServerFrame[]) => frames.forEach(receive),
    drawNext: () => (planned.shift() ?? expect.fail('nothing is scheduled')).draw(),
    waits: () => planned.map(({ afterMs }) => afterMs),
    lastSeqs: () => ids.map((id) => store.getState().open.get(id)?.transcript.lastSeq),
    texts: () => ids.map((id) => [...(store.getState().open.get(id)?.transcript.live.values() ?? [])].map((item) => ('text' in item ? item.text : ''))),
  };
}

const word = (sessionId: string, text: string, offset = 0, itemId = 'i'): ServerFrame => ({
  type: 'delta',
  sessionId: sessionId as SessionId,
  itemId,
  messageId: itemId,
  index: 0,
  kind: 'text',
  text,
  offset,
});

const happened = (sessionId: string): ServerFrame => ({
  type: 'event',
  sessionId: sessionId as SessionId,
  seq: 1,
  event: { type: 'model.changed', seq: 1, at: '2026-11-15T12:00:00.000Z', model: 'opus', reason: 'asked' } as Event,
});

test('[R275] sessions that stream at once each render separately, the longest waiting first', () => {
  const page = pageOf('a', 'b');
  page.receive(word('a', 'one '), word('b', 'uno '), word('a', 'two', 4));

  page.drawNext();
  expect(page.texts()).toEqual([['one two'], []]);
  page.receive(word('a', '!', 7));
  page.drawNext();
  expect(page.texts()).toEqual([['one two'], ['uno ']]);
  page.drawNext();
  expect(page.texts()).toEqual([['one two!'], ['uno ']]);
  expect(page.waits()).toEqual([]);
});

test('anything but streaming text renders at once, with everything received before it', () => {
  const page = pageOf('a', 'b');
  page.receive(word('a', 'one'), word('b', 'uno'), { type: 'notice', level: 'info', code: 'disk', text: 'The disk is full.' });

  expect(page.waits().at(-1)).toBe(0);
  page.drawNext(); // the earlier plan was replaced
  expect(page.texts()).toEqual([[], []]);
  page.drawNext();
  expect(page.texts()).toEqual([['one'], ['uno']]);
  expect(page.waits()).toEqual([]);
});

test('simultaneous events of several sessions render one session after the other, each in order', () => {
  const page = pageOf('a', 'b', 'c');
  const over = (sessionId: string): ServerFrame => ({ type: 'delta.dropped', sessionId: sessionId as SessionId, itemId: 'i' });
  page.receive(word('a', 'one'), word('b', 'uno'), word('c', 'eins'), ...['a', 'b', 'c'].map(happened), word('c', 'zwei', 4), over('c'));

  page.drawNext(); // the earlier plan was replaced
  page.drawNext();
  expect([page.texts(), page.lastSeqs(), page.waits()]).toEqual([[['one'], [], []], [1, 0, 0], [0]]);
  page.drawNext();
  expect([page.texts(), page.lastSeqs(), page.waits()]).toEqual([[['one'], ['uno'], []], [1, 1, 0], [0]]);
  page.drawNext();
  expect(page.texts()).toEqual([['one'], ['uno'], []]); // dropped again
  expect(page.lastSeqs()).toEqual([1, 1, 1]);
  expect(page.waits()).toEqual([]);
});

test('one text renders word by word, several take turns', () => {
  const page = pageOf('a', 'b');
  page.receive(word('a', 'one'));
  page.drawNext();
  page.receive(word('a', 'two', 3));
  expect(page.waits()).toEqual([0]);

  page.drawNext();
  page.receive(word('a', 'x', 6), word('a', 'y', 0, 'j'), word('b', 'uno'));
  page.drawNext();
  expect(page.waits()).toEqual([40]);
});

test('[R279] typing comes before agent output, but not forever, and not before anything else', () => {
  const page = pageOf('a');
  page.receive(word('a', 'one'));
  page.type(40);
  for (let times = 0; times < 4; times++) {
    page.drawNext();
    expect([page.texts(), page.waits()]).toEqual([[[]], [40]]);
  }
  page.drawNext();
  expect(page.texts()).toEqual([['one']]);

  page.receive(word('a', 'two', 3));
  page.drawNext();
  expect(page.texts()).toEqual([['one']]);
  page.type(0);
  page.drawNext();
  expect(page.texts()).toEqual([['onetwo']]);

  page.type(40);
  page.receive(happened('a'));
  page.drawNext();
  expect([page.lastSeqs(), page.waits()]).toEqual([[0], [40]]);
  page.receive({ type: 'notice', level: 'info', code: 'disk', text: 'The disk is full.' });
  page.drawNext();
  expect(page.waits()).toEqual([]);
});

import { expect, test } from 'vitest';
import { createInMemoryEngine } from '../../../test/support/server/in-memory-engine.ts';
import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { type Connections, markBehind } from './connections.ts';
import { EVENT_BOUND_BYTES, type SocketWriter } from './socket-writer.ts';
import { type Subscription, sendDeltas, sendEvents } from './subscription.ts';
import { eventFrame, wireText } from './wire-frame.ts';

const S1 = 's1' as SessionId;
const event = (seq: number): Event => ({ seq, at: '', type: 'notice.shown', level: 'info', text: `${seq}` });

/** A writer whose client reads nothing; `queued` is the number of bytes in its queue. */
function inMemoryWriter(queued = 0): SocketWriter & { readonly texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    write: (frame) => {
      texts.push(frame.subarray(frame.indexOf('{')).toString());
    },
    queuedBytes: () => queued,
    willDrain: () => queued > 16_384,
    sentBytes: () => 0,
    receivedBytes: () => 0,
    cut: () => {},
  };
}

const watching = (writer: SocketWriter, lastSeq: number): Subscription => ({ sessionId: S1, writer, state: 'live', lastSeq });
const deliver = (subscription: Subscription, ...seqs: number[]): boolean =>
  sendEvents(
    subscription,
    seqs.map(event),
    seqs.map((seq) => eventFrame(S1, event(seq))),
  );
const seqsIn = (texts: readonly string[]): readonly number[] => texts.map((text) => JSON.parse(text).seq);

test('events that were in the snapshot are not sent again', () => {
  const writer = inMemoryWriter();
  expect(deliver(watching(writer, 4), 3, 4, 5, 6)).toBe(true);
  expect(seqsIn(writer.texts)).toEqual([5, 6]);
});

test('rather than leave a gap, a subscription pauses until the client subscribes again', () => {
  const writer = inMemoryWriter();
  const subscription = watching(writer, 4);
  expect(deliver(subscription, 6)).toBe(false);
  expect(deliver(subscription, 7)).toBe(true);
  expect([subscription.state, writer.texts]).toEqual(['paused', []]);
});

test('a frame larger than the limit still goes to a client with an empty queue', () => {
  const writer = inMemoryWriter();
  expect(sendDeltas(watching(writer, 0), [wireText(`{"x":"${'x'.repeat(EVENT_BOUND_BYTES)}"}`)])).toBe(true);
  expect(writer.texts).toHaveLength(1);
});

const waits: readonly (readonly [name: string, queued: number, sent: number, behind: number])[] = [
  ['immediately when little is queued and no drain event will come', 100, 1, 0],
  ['later when much is queued', 5_000_000, 0, 1],
];
for (const [name, queued, sent, behind] of waits) {
  test(`a client is asked to subscribe again ${name}`, () => {
    const writer = inMemoryWriter(queued);
    const subscription: Subscription = { ...watching(writer, 0), state: 'paused' };
    const client = { behind: new Set<Subscription>() };
    const connections = {
      engine: createInMemoryEngine(),
      clients: new Set(),
      watchers: new Map(),
      owners: new WeakMap([[subscription, client]]),
      framesSent: 0,
      heldBack: 0,
    };
    markBehind(connections as unknown as Connections, subscription);
    expect([writer.texts.length, client.behind.size]).toEqual([sent, behind]);
  });
}

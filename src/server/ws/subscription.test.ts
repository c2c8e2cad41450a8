import { expect, test } from 'vitest';
import { createMemoryEngine } from '../../../test/support/server/in-memory-engine.ts';
import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { fellBehind, type Hall } from './connections.ts';
import { EVENT_BOUND_BYTES, type Pipe } from './socket-writer.ts';
import { giveDeltas, giveEvents, type Subscription } from './subscription.ts';
import { eventFrame, wireText } from './wire-frame.ts';

const S1 = 's1' as SessionId;
const event = (seq: number): Event => ({ seq, at: '', type: 'notice.shown', level: 'info', text: `${seq}` });

/** A pipe whose other end takes nothing; `queued` is what waits in it. */
function memoryPipe(queued = 0): Pipe & { readonly texts: string[] } {
  const texts: string[] = [];
  return {
    texts,
    write: (frame) => {
      texts.push(frame.subarray(frame.indexOf('{')).toString());
    },
    queuedBytes: () => queued,
    willDrain: () => queued > 16_384,
    takenBytes: () => 0,
    givenBytes: () => 0,
    cut: () => {},
  };
}

const watching = (pipe: Pipe, lastSeq: number): Subscription => ({ sessionId: S1, pipe, state: 'live', lastSeq });
const give = (subscription: Subscription, ...seqs: number[]): boolean =>
  giveEvents(
    subscription,
    seqs.map(event),
    seqs.map((seq) => eventFrame(S1, event(seq))),
  );
const seqsIn = (texts: readonly string[]): readonly number[] => texts.map((text) => JSON.parse(text).seq);

test('events that stood in the snapshot are not given again', () => {
  const pipe = memoryPipe();
  expect(give(watching(pipe, 4), 3, 4, 5, 6)).toBe(true);
  expect(seqsIn(pipe.texts)).toEqual([5, 6]);
});

test('rather than leave a hole, a subscription is held until the client asks again', () => {
  const pipe = memoryPipe();
  const subscription = watching(pipe, 4);
  expect(give(subscription, 6)).toBe(false);
  expect(give(subscription, 7)).toBe(true);
  expect([subscription.state, pipe.texts]).toEqual(['held', []]);
});

test('one frame larger than the bound still goes to a client with nothing in its way', () => {
  const pipe = memoryPipe();
  expect(giveDeltas(watching(pipe, 0), [wireText(`{"x":"${'x'.repeat(EVENT_BOUND_BYTES)}"}`)])).toBe(true);
  expect(pipe.texts).toHaveLength(1);
});

const waits: readonly (readonly [name: string, queued: number, told: number, behind: number])[] = [
  ['at once, when nothing much waits and no word of draining will come', 100, 1, 0],
  ['later, when much waits', 5_000_000, 0, 1],
];
for (const [name, queued, told, behind] of waits) {
  test(`a client is told to subscribe again ${name}`, () => {
    const pipe = memoryPipe(queued);
    const subscription: Subscription = { ...watching(pipe, 0), state: 'held' };
    const client = { behind: new Set<Subscription>() };
    const hall = {
      engine: createMemoryEngine(),
      clients: new Set(),
      watchers: new Map(),
      owners: new WeakMap([[subscription, client]]),
      framesSent: 0,
      heldBack: 0,
    };
    fellBehind(hall as unknown as Hall, subscription);
    expect([pipe.texts.length, client.behind.size]).toEqual([told, behind]);
  });
}

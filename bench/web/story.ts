import type { ReplaySession } from '../../test/support/replay-book.ts';
import type { ReplayServer } from '../../test/support/replay-server.ts';
import { journalOf, longStory } from '../../test/support/sample-journal.ts';
import { sessionOf } from '../../test/support/sample-sessions.ts';

/** What agents say, with what makes a page work: emphasis, code, lists. */
const WORDS =
  'The queue is *settled* before the cart is merged, so `write(cartId)` waits; **two tabs** cannot race.\n\n- first the guest cart\n- then the stored one\n\n'.split(
    ' ',
  );
const EVENTS_A_TURN = 4;
/** Longer than most answers. */
const DELTAS_AN_ITEM = 240;

export const LONG = 'long';
export const streamName = (index: number): string => `stream-${index}`;

/** One session of very many events, and those that stream. */
export function sessions(events: number, streams: number): readonly ReplaySession[] {
  const long = journalOf(new Date(), longStory(events / EVENTS_A_TURN));
  const short = (index: number): ReplaySession => {
    const told = journalOf(new Date(), longStory(15));
    return { session: sessionOf({ id: streamName(index), title: `Stream ${index}`, status: 'busy', lastSeq: told.length }), events: told };
  };
  return [
    { session: sessionOf({ id: LONG, title: 'A long session', lastSeq: long.length }), events: long },
    ...Array.from({ length: streams }, (_, index) => short(index)),
  ];
}

/** Says one more word in every stream; an answer that is long enough is finished, and a tool is called. */
export class Streams {
  sent = 0;
  readonly #replay: ReplayServer;
  readonly #count: number;
  #round = 0;

  constructor(replay: ReplayServer, count: number) {
    this.#replay = replay;
    this.#count = count;
  }

  step(): void {
    const [item, place] = [Math.floor(this.#round / DELTAS_AN_ITEM), this.#round % DELTAS_AN_ITEM];
    for (let stream = 0; stream < this.#count; stream++) this.#say(streamName(stream), item, place);
    this.#round += 1;
  }

  #say(sessionId: string, item: number, place: number): void {
    const [messageId, itemId] = [`bench-${item}`, `bench-${item}:0`];
    const text = `${WORDS[place % WORDS.length]} `;
    this.#replay.book.tell({ type: 'delta', sessionId: sessionId as never, itemId, messageId, index: 0, kind: 'text', text, offset: textUpTo(place).length });
    this.sent += 1;
    if (place < DELTAS_AN_ITEM - 1) return;
    this.#replay.book.append(sessionId, { type: 'assistant.text', itemId, messageId, index: 0, text: textUpTo(DELTAS_AN_ITEM) });
    const tool = `bench-tool-${item}`;
    this.#replay.book.append(sessionId, { type: 'tool.started', itemId: tool, toolUseId: tool, name: 'Run', input: { command: 'npm test' } });
    this.#replay.book.append(sessionId, {
      type: 'tool.completed',
      itemId: `${tool}:result`,
      parentItemId: tool,
      toolUseId: tool,
      output: 'ok\n'.repeat(40),
      isError: false,
    });
  }
}

const textUpTo = (place: number): string => Array.from({ length: place }, (_, index) => `${WORDS[index % WORDS.length]} `).join('');

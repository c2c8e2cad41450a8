import type { ReplaySession } from '../../test/support/replay/replay-journals.ts';
import type { ReplayServer } from '../../test/support/replay/replay-server.ts';
import { journalOf, longStory } from '../../test/support/replay/sample-journal.ts';
import { sessionOf } from '../../test/support/replay/sample-sessions.ts';

/** Typical agent text with Markdown that takes work to render: emphasis, code, lists. */
const WORDS =
  'The queue is *settled* before the cart is merged, so `write(cartId)` waits; **two tabs** cannot race.\n\n- first the guest cart\n- then the stored one\n\n'.split(
    ' ',
  );
const EVENTS_A_TURN = 4;
/** Longer than most answers. */
const DELTAS_AN_ITEM = 240;

export const LONG = 'long';

/** An answer in progress, by a session or one of its subagents. */
interface Stream {
  readonly sessionId: string;
  readonly helper?: string;
}

/** Six sessions side by side, four of them with two working subagents each: ten streams at once, all on the screen. */
const TILES = 6;
const TILES_WITH_HELPERS = 4;
const HELPERS = ['helper-a', 'helper-b'] as const;

const sessionName = (index: number): string => `stream-${index}`;
export const TILED: readonly string[] = Array.from({ length: TILES }, (_, index) => sessionName(index));

export const STREAMS: readonly Stream[] = TILED.flatMap((sessionId, index): readonly Stream[] =>
  index < TILES_WITH_HELPERS ? HELPERS.map((helper) => ({ sessionId, helper })) : [{ sessionId }],
);

/** One very long session, and those that stream. */
export function sessions(events: number): readonly ReplaySession[] {
  const long = journalOf(new Date(), longStory(events / EVENTS_A_TURN));
  return [{ session: sessionOf({ id: LONG, title: 'A long session', lastSeq: long.length }), events: long }, ...TILED.map(streaming)];
}

function streaming(id: string, index: number): ReplaySession {
  const events = journalOf(new Date(), longStory(15));
  return { session: sessionOf({ id, title: `Stream ${index}`, status: 'busy', lastSeq: events.length }), events };
}

/** Sends one word at a time, to each stream in turn. After a long enough answer, it completes the answer, calls a tool and starts the subagent again. */
export class Streams {
  /** Words sent so far. */
  sent = 0;
  readonly #replay: ReplayServer;

  constructor(replay: ReplayServer) {
    this.#replay = replay;
  }

  step(): void {
    const stream = STREAMS[this.sent % STREAMS.length];
    const round = Math.floor(this.sent / STREAMS.length);
    this.sent += 1;
    if (stream !== undefined) this.#send(stream, Math.floor(round / DELTAS_AN_ITEM), round % DELTAS_AN_ITEM);
  }

  #send({ sessionId, helper }: Stream, item: number, place: number): void {
    const { book } = this.#replay;
    const name = `bench-${helper ?? 'own'}-${item}`;
    const errand = { itemId: `${name}:errand`, toolUseId: `${name}-errand` };
    if (helper !== undefined && place === 0)
      book.append(sessionId, { type: 'tool.started', ...errand, name: 'Task', input: { description: `look into ${item}` } });
    const inside = helper === undefined ? {} : { parentToolUseId: errand.toolUseId };
    const block = { itemId: `${name}:0`, messageId: name, index: 0, ...inside };
    const text = `${WORDS[place % WORDS.length]} `;
    const page = book.page(sessionId);
    const others = page.partial.filter(({ itemId }) => itemId !== block.itemId);
    book.tell({ type: 'delta', sessionId: page.session.id, ...block, kind: 'text', text, offset: textUpTo(place).length });
    // A client that subscribes now gets the text so far.
    page.partial = [...others, { ...block, kind: 'text', text: textUpTo(place + 1), offset: 0 }];
    if (place < DELTAS_AN_ITEM - 1) return;
    page.partial = others;
    const call = { itemId: `${name}:1`, toolUseId: `${name}-call`, ...inside };
    book.append(sessionId, { type: 'assistant.text', ...block, text: textUpTo(DELTAS_AN_ITEM) });
    book.append(sessionId, { type: 'tool.started', ...call, name: 'Run', input: { command: 'npm test' } });
    book.append(sessionId, { type: 'tool.completed', ...call, itemId: `${name}:result`, output: 'ok\n'.repeat(40), isError: false });
    if (helper !== undefined) book.append(sessionId, { type: 'tool.completed', ...errand, itemId: `${name}:report`, output: 'It is so.', isError: false });
  }
}

const TEXTS = Array.from({ length: DELTAS_AN_ITEM + 1 }, (_, words) => Array.from({ length: words }, (_, at) => `${WORDS[at % WORDS.length]} `).join(''));
const textUpTo = (place: number): string => TEXTS[place] ?? '';

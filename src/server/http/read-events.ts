import type { Engine } from '../../engine/engine.ts';
import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';

/** Small enough that what is done with one page holds nobody else up. */
const PAGE = 250;

/** A session's events from a seq on, page by page; between two pages everybody else has their turn. Ends where the session ended when it came there. */
export async function* readEvents(engine: Engine, id: SessionId, after: number): AsyncGenerator<readonly Event[]> {
  let last = after;
  for (;;) {
    const events = engine.events(id, { after: last, limit: PAGE });
    if (events.length > 0) yield events;
    if (events.length < PAGE) return;
    last = events.at(-1)?.seq ?? last;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

import type { Event } from '../../protocol/event.ts';
import type { Session } from '../../protocol/session.ts';
import { eventsOf, type Sources } from '../transcripts.ts';

/** Small enough that what is done with one page holds nobody else up. */
const PAGE = 250;

/** A session's events from a seq on, page by page; between two pages everybody else has their turn. Ends where the session ended when it came there. */
export async function* readEvents(from: Sources, session: Session, after: number): AsyncGenerator<readonly Event[]> {
  let last = after;
  for (;;) {
    const events = await eventsOf(from, session, { after: last, limit: PAGE });
    if (events.length > 0) yield events;
    if (events.length < PAGE) return;
    last = events.at(-1)?.seq ?? last;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

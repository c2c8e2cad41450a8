import type { Event } from '../../protocol/event.ts';
import type { Session } from '../../protocol/session.ts';
import { eventsOf, type Sources } from '../shared/transcripts.ts';

/** Small enough that handling one page doesn't block other requests. */
const PAGE = 250;

/** A session's events after a seq, page by page; other requests run between pages. Stops at the end the session has by then. */
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

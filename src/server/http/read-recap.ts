import type * as z from 'zod/mini';
import { combined, recapOf } from '../../domain/recap/recap.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Event } from '../../protocol/event.ts';
import type { Recap, RecapQuery } from '../../protocol/seen.ts';
import type { Session } from '../../protocol/session.ts';

/** Nobody reads a recap of more; the latest sessions count. */
const MOST_SESSIONS = 200;
/** Of each session, from its end. */
const MOST_EVENTS = 3000;
/** Small enough that reading a page doesn't block other requests. */
const PAGE = 250;

/** What happened since a time in the sessions that the caller can see. */
export async function readRecap(engine: Engine, { since, until }: z.infer<typeof RecapQuery>): Promise<Recap> {
  const from = new Date(since).toISOString();
  const to = until === undefined ? undefined : new Date(until).toISOString();
  const changed = engine
    .sessions()
    .filter(({ updatedAt }) => updatedAt >= from)
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  const shown = changed.slice(0, MOST_SESSIONS);
  const read = [];
  let isCut = changed.length > shown.length;
  for (const session of shown) {
    const { events, isAll } = await eventsSince(engine, session, from);
    read.push(recapOf(session, to === undefined ? events : events.filter(({ at }) => at <= to)));
    isCut ||= !isAll;
  }
  return { ...combined(from, read), ...(isCut && { isCut }) };
}

/** Reads from the end back to the time. */
async function eventsSince(engine: Engine, { id }: Session, from: string): Promise<{ readonly events: readonly Event[]; readonly isAll: boolean }> {
  const pages: (readonly Event[])[] = [];
  for (let before = Number.MAX_SAFE_INTEGER, count = 0; count < MOST_EVENTS; count += PAGE) {
    const page = engine.events(id, { before, limit: PAGE });
    const late = page.filter(({ at }) => at >= from);
    pages.unshift(late);
    if (late.length < PAGE) return { events: pages.flat(), isAll: true };
    before = page[0]?.seq ?? 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { events: pages.flat(), isAll: false };
}

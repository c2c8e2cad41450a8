import type { Engine } from '../engine/engine.ts';
import type { Library, PastEventsPage } from '../index/session-index.ts';
import type { Event } from '../protocol/event.ts';
import type { SessionId } from '../protocol/ids.ts';
import type { Session } from '../protocol/session.ts';

/** Where events lie. */
export interface Sources {
  readonly engine: Pick<Engine, 'session' | 'events'>;
  readonly library: Pick<Library, 'session' | 'events'>;
}

/** A session of ours, or a past one. */
export const anySession = async ({ engine, library }: Sources, id: SessionId): Promise<Session | undefined> => engine.session(id) ?? library.session(id);

/** Events of a session, wherever they lie: what was said before somebody took it up here is in the agent's own record. */
export async function eventsOf(from: Sources, session: Session, page: PastEventsPage): Promise<readonly Event[]> {
  const { engine, library } = from;
  const base = session.past?.lastSeq ?? 0;
  const isOurs = engine.session(session.id) !== undefined;
  if (!isOurs) return library.events(session.id, page);
  if (base === 0) return engine.events(session.id, page);
  return page.after === undefined ? before(from, session.id, base, page) : after(from, session.id, base, page);
}

async function before({ engine, library }: Sources, id: SessionId, base: number, page: PastEventsPage): Promise<readonly Event[]> {
  const until = page.before ?? Number.MAX_SAFE_INTEGER;
  const own = until > base + 1 ? engine.events(id, { before: until, limit: page.limit }) : [];
  if (own.length >= page.limit) return own;
  const past = await library.events(id, { ...page, before: Math.min(until, base + 1), limit: page.limit - own.length });
  return [...past, ...own];
}

async function after({ engine, library }: Sources, id: SessionId, base: number, page: PastEventsPage): Promise<readonly Event[]> {
  const from = page.after ?? 0;
  if (from >= base) return engine.events(id, { after: from, limit: page.limit });
  const past = (await library.events(id, page)).filter((event) => event.seq <= base);
  if (past.length >= page.limit) return past;
  return [...past, ...engine.events(id, { after: base, limit: page.limit - past.length })];
}

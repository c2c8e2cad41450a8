import type { Engine } from '../../engine/engine.ts';
import type { PastEventsPage, SessionIndex } from '../../index/session-index.ts';
import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';

/** Where events come from. */
export interface Sources {
  readonly engine: Pick<Engine, 'session' | 'events'>;
  readonly sessionIndex: Pick<SessionIndex, 'session' | 'events'>;
}

/** A session from the journal, or a past one. */
export const anySession = async ({ engine, sessionIndex }: Sources, id: SessionId): Promise<Session | undefined> =>
  engine.session(id) ?? sessionIndex.session(id);

/** Events of a session from both sources: what was said before the session was adopted is in the agent's own record. */
export async function eventsOf(from: Sources, session: Session, page: PastEventsPage): Promise<readonly Event[]> {
  const { engine, sessionIndex } = from;
  const base = session.past?.lastSeq ?? 0;
  const isOurs = engine.session(session.id) !== undefined;
  if (!isOurs) return sessionIndex.events(session.id, page);
  if (base === 0) return engine.events(session.id, page);
  return page.after === undefined ? before(from, session.id, base, page) : after(from, session.id, base, page);
}

async function before({ engine, sessionIndex }: Sources, id: SessionId, base: number, page: PastEventsPage): Promise<readonly Event[]> {
  const until = page.before ?? Number.MAX_SAFE_INTEGER;
  const own = until > base + 1 ? engine.events(id, { before: until, limit: page.limit }) : [];
  if (own.length >= page.limit) return own;
  const past = await sessionIndex.events(id, { ...page, before: Math.min(until, base + 1), limit: page.limit - own.length });
  return [...past, ...own];
}

async function after({ engine, sessionIndex }: Sources, id: SessionId, base: number, page: PastEventsPage): Promise<readonly Event[]> {
  const from = page.after ?? 0;
  if (from >= base) return engine.events(id, { after: from, limit: page.limit });
  const past = (await sessionIndex.events(id, page)).filter((event) => event.seq <= base);
  if (past.length >= page.limit) return past;
  return [...past, ...engine.events(id, { after: base, limit: page.limit - past.length })];
}

import { resolvedRequest } from '../../domain/permission/resolved.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Event } from '../../protocol/event.ts';
import type { ResolvedRequest, ServerFrame } from '../../protocol/frame.ts';
import type { RequestId, SessionId } from '../../protocol/ids.ts';
import { planOfStream, planStream } from '../../protocol/plan.ts';
import type { Session } from '../../protocol/session.ts';
import { mayReach } from '../auth/access.ts';
import { type Client, postToList } from './client.ts';
import { type Connections, maySee } from './connections.ts';
import { wireFrame } from './wire-frame.ts';

/** More decisions than a person can have had on screen when the connection broke. */
const RECENT_MAX = 50;

/** What list subscribers know about pending requests; the requests themselves belong to the engine. */
export interface Waiting {
  /** Sessions with a pending request: when one becomes private or is deleted, other people's lists change. */
  readonly sessions: Set<SessionId>;
  /** The cards of each plan that pages have. */
  readonly cards: Map<SessionId, ReadonlySet<RequestId>>;
  /** The latest decisions, for pages that were disconnected. */
  recent: readonly Recent[];
}

interface Recent {
  readonly sessionId: SessionId;
  readonly resolved: ResolvedRequest;
}

export const openWaiting = (engine: Engine): Waiting => ({
  sessions: new Set(engine.permissions().map(({ sessionId }) => sessionId)),
  cards: new Map(engine.plans().map(({ id }) => [planStream(id), cardIds(engine, planStream(id))])),
  recent: [],
});

const cardIds = (engine: Engine, stream: SessionId): ReadonlySet<RequestId> => new Set(engine.permissions(stream).map(({ requestId }) => requestId));

/** Posts how a plan's events change what it asks people. */
function postCards({ engine, waiting, clients }: Connections, stream: SessionId, events: readonly Event[]) {
  const before = waiting.cards.get(stream) ?? new Set();
  const cards = engine.permissions(stream);
  const now = new Set(cards.map(({ requestId }) => requestId));
  waiting.cards.set(stream, now);
  const added = cards.filter(({ requestId }) => !before.has(requestId));
  const last = events.at(-1);
  const resolved = [...before]
    .filter((requestId) => !now.has(requestId))
    .map((requestId): ResolvedRequest => ({ requestId, outcome: 'allowed', at: last?.at ?? '', ...(last?.actor !== undefined && { by: last.actor }) }));
  if (added.length + resolved.length === 0) return;
  const frame = wireFrame({ type: 'waiting', added, resolved });
  for (const client of clients) postToList(client, frame);
}

/** Posts how a session's events change the pending requests: one frame for everyone who may see the session. */
export function postWaiting(connections: Connections, sessionId: SessionId, events: readonly Event[]) {
  if (planOfStream(sessionId) !== undefined) return postCards(connections, sessionId, events);
  const asked = new Set(events.flatMap((event) => (event.type === 'permission.requested' ? [event.requestId] : [])));
  const ended = events.flatMap((event) => (event.type === 'permission.resolved' ? [resolvedRequest(event)] : []));
  if (asked.size + ended.length === 0) return;
  const session = connections.engine.session(sessionId);
  const waiting = session === undefined ? [] : connections.engine.permissions(sessionId);
  const added = waiting.filter(({ requestId }) => asked.has(requestId));
  // A request that a rule answered in the same commit was never pending.
  const resolved = ended.filter(({ requestId }) => !asked.has(requestId));
  if (waiting.length > 0) connections.waiting.sessions.add(sessionId);
  // Keep a session that is being deleted: lists change once more when it is gone.
  else if (session !== undefined) connections.waiting.sessions.delete(sessionId);
  connections.waiting.recent = [...connections.waiting.recent, ...resolved.map((each) => ({ sessionId, resolved: each }))].slice(-RECENT_MAX);
  if (added.length + resolved.length === 0) return;
  const frame = wireFrame({ type: 'waiting', added, resolved });
  for (const client of connections.clients) if (sees(connections, client, sessionId, session)) postToList(client, frame);
}

/** `connections.closed` can lag behind the engine, so the engine decides while it still has the session. */
const sees = (connections: Connections, client: Client, sessionId: SessionId, session: Session | undefined): boolean =>
  session === undefined ? maySee(connections, client, sessionId) : mayReach(session, client.identity);

/** All pending requests for one person; the frame replaces what their page had. */
export function allWaiting({ waiting, remote }: Connections, client: Client): ServerFrame {
  const resolved = waiting.recent.flatMap((each) => (client.engine.session(each.sessionId) === undefined ? [] : [each.resolved]));
  return { type: 'waiting', reset: true, added: [...client.engine.permissions(), ...(remote?.waiting() ?? [])], resolved };
}

/** When a session becomes private or public, its pending requests leave other people's lists or return to them. */
export function postWaitingAgain(connections: Connections, session: Session) {
  if (!connections.waiting.sessions.has(session.id)) return;
  const others = [...connections.clients].filter(({ identity }) => !mayReach({ ...session, closed: true }, identity));
  for (const client of others) postToList(client, wireFrame(allWaiting(connections, client)));
}

/** Removes a deleted session's requests from lists. Call this while it is still known who could see the session. */
export function forgetWaiting(connections: Connections, sessionId: SessionId) {
  connections.waiting.recent = connections.waiting.recent.filter((each) => each.sessionId !== sessionId);
  if (!connections.waiting.sessions.delete(sessionId)) return;
  for (const client of connections.clients) if (maySee(connections, client, sessionId)) postToList(client, wireFrame(allWaiting(connections, client)));
}

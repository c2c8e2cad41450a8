import type { WaitingPermission } from '../../../src/protocol/http.ts';
import type { Session } from '../../../src/protocol/session.ts';
import { isWaiting } from './deck.ts';

/** The order of the list beside a transcript: what needs you, what failed, what works, then the rest by last use. */
export function navOrder(sessions: Iterable<Session>): readonly Session[] {
  const shown = [...sessions].filter(({ archived }) => archived !== true);
  const ranks = new Map(shown.map((session) => [session, rankOf(session)]));
  return shown.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0) || withinRank(a, b, ranks.get(a) ?? 0));
}

const WORKING = 2;

function rankOf(session: Session): number {
  if (isWaiting(session)) return 0;
  if (session.status === 'failed') return 1;
  return session.status === 'busy' || session.status === 'starting' ? WORKING : 3;
}

/** Whatever works changes all the time: its place must not. */
const withinRank = (a: Session, b: Session, rank: number): number => (rank <= WORKING ? compare(b.createdAt, a.createdAt) : compare(b.updatedAt, a.updatedAt));

/** Times in one format compare as text; `localeCompare` would take ten times as long. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The session before or after this one in the list, around its ends. */
export function neighborOf(order: readonly Session[], sessionId: string, by: 1 | -1): Session | undefined {
  const at = order.findIndex(({ id }) => id === sessionId);
  return at < 0 ? order[0] : order.length < 2 ? undefined : order[(at + by + order.length) % order.length];
}

/** The request of another session that has waited longest. */
export const nextWaiting = (permissions: readonly WaitingPermission[], sessionId: string | undefined): WaitingPermission | undefined =>
  permissions.filter((request) => request.sessionId !== sessionId).sort((a, b) => compare(a.at, b.at))[0];

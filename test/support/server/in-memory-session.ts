import { turnOutcome } from '../../../src/domain/transcript/outcomes.ts';
import type { Event } from '../../../src/protocol/event.ts';
import type { AgentId, SessionId } from '../../../src/protocol/ids.ts';
import type { Session } from '../../../src/protocol/session.ts';

export const newSession = (id: SessionId): Session => ({
  id,
  agent: 'stand-in' as AgentId,
  title: id,
  cwd: '/',
  projectId: 'root',
  project: '/',
  status: 'idle',
  statusCause: { seq: 1, cause: 'created' },
  control: 'here',
  reachable: true,
  createdAt: new Date(0).toISOString(),
  updatedAt: new Date(0).toISOString(),
  lastSeq: 0,
  waiting: 0,
  queue: [],
  tags: [],
  star: false,
  hostname: 'here',
  platform: 'test',
  node: 'here',
  owner: 'owner',
});

/** The session as a list shows it, after one more event. */
export function withEvent(session: Session, event: Event): Session {
  const next = { ...session, lastSeq: event.seq, updatedAt: event.at };
  switch (event.type) {
    case 'session.created':
      return {
        ...next,
        agent: event.agent,
        cwd: event.cwd,
        title: event.title ?? session.title,
        createdAt: event.at,
        owner: event.owner,
        ...(event.actor && { ownerId: event.actor.id }),
      };
    case 'session.started':
      return { ...next, agentSessionId: event.agentSessionId };
    case 'session.status':
      return { ...next, status: event.status, statusCause: { seq: event.seq, cause: event.cause } };
    case 'turn.completed':
      return turnOutcome(event) !== 'interrupted' ? { ...next, finished: { seq: event.seq, at: event.at } } : next;
    case 'permission.requested':
      return { ...next, waiting: session.waiting + 1 };
    case 'permission.resolved':
      return { ...next, waiting: session.waiting - 1 };
    case 'meta.changed':
      return {
        ...next,
        title: event.title ?? session.title,
        tags: event.tags ?? session.tags,
        star: event.star ?? session.star,
        closed: event.closed ?? session.closed ?? false,
      };
    default:
      return next;
  }
}

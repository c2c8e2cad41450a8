import { isUnread } from '../../../domain/recap/unread.ts';
import type { Actor } from '../../../protocol/actor.ts';
import { isRefusal } from '../../../protocol/command.ts';
import { PersonState } from '../../../protocol/http.ts';
import { Recap, RecapQuery, SeenAnswer, SeenBody } from '../../../protocol/seen.ts';
import type { Session } from '../../../protocol/session.ts';
import { readRecap } from '../read-recap.ts';
import { type Answer, type Route, route, type Services } from '../route.ts';
import { noSession, OfSession } from './session.ts';

export const STATE_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/state',
    role: 'viewer',
    summary: 'The caller’s own state: recent, layout, drafts',
    answer: { status: 200, schema: PersonState },
    handle: async ({ states }, { actor }) => ({ status: 200, body: await states.read(actor.id) }),
  }),
  route({
    method: 'PATCH',
    path: '/api/state',
    role: 'viewer',
    summary: 'Change the caller’s state with a JSON merge patch; null removes a field. Returns the complete state, durable',
    body: PersonState,
    answer: { status: 200, schema: PersonState },
    refusals: [413],
    handle: async ({ states }, { actor, body }) => {
      const changed = await states.change(actor.id, body);
      return isRefusal(changed) ? changed : { status: 200, body: changed.state };
    },
  }),
  route({
    method: 'PUT',
    path: '/api/sessions/:id/seen',
    role: 'viewer',
    summary: 'The caller has seen a session up to this event; never lowers an earlier mark. Reaches all pages of the caller',
    params: OfSession,
    body: SeenBody,
    answer: { status: 200, schema: SeenAnswer },
    refusals: [404],
    handle: async (services, { params, body, actor }) => {
      const session = services.engine.session(params.id);
      if (session === undefined) return noSession(params.id);
      // An event that isn't there yet can't have been seen.
      await services.seen.see(actor.id, params.id, Math.min(body.seq, session.lastSeq));
      return answerFor(services, session, actor);
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/sessions/:id/seen',
    role: 'viewer',
    summary: 'Mark a session as unread for the caller',
    params: OfSession,
    answer: { status: 200, schema: SeenAnswer },
    refusals: [404, 409],
    handle: async (services, { params, actor }) => {
      const session = services.engine.session(params.id);
      if (session === undefined) return noSession(params.id);
      if (session.finished === undefined) return { refused: 'conflict', message: 'Nothing has finished in this session yet.' };
      await services.seen.unsee(actor.id, params.id);
      return answerFor(services, session, actor);
    },
  }),
  route({
    method: 'GET',
    path: '/api/recap',
    role: 'viewer',
    summary: 'What happened since a time: sessions that finished, failed or need somebody, changed files, cost',
    query: RecapQuery,
    answer: { status: 200, schema: Recap },
    handle: async ({ engine }, { query }) => ({ status: 200, body: await readRecap(engine, query) }),
  }),
];

function answerFor({ seen }: Services, session: Session, { id }: Actor): Answer {
  const marks = seen.of(id);
  return { status: 200, body: { sessionId: session.id, seq: marks.marks[session.id] ?? 0, unread: isUnread(session, marks) } };
}

import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { withUnread } from '../../../domain/recap/unread.ts';
import type { Actor } from '../../../protocol/actor.ts';
import { type Command, type ContinueFrom, isRefusal, MetaBody, type Refusal } from '../../../protocol/command.ts';
import { CommandAnswer, CreateSessionBody, EventList, PageQuery, SessionList, SessionQuery } from '../../../protocol/http.ts';
import { CommandId, SessionId } from '../../../protocol/ids.ts';
import { LIMITS } from '../../../protocol/limits.ts';
import { Session } from '../../../protocol/session.ts';
import { freshId } from '../../shared/fresh-id.ts';
import { messageProblem } from '../../shared/message-limits.ts';
import { anySession, eventsOf } from '../../shared/transcripts.ts';
import { withKnownAgents } from '../known-agents.ts';
import { type Answer, type Route, route, type Services } from '../route.ts';

export const OfSession = z.object({ id: SessionId });

export const newCommandId = (): CommandId => CommandId.parse(randomUUID());

/** A request for another machine of the cluster never gets to a handler here. */
export const noMachine = (node: string | undefined): Refusal | undefined =>
  node === undefined ? undefined : { refused: 'not-found', message: `There is no other machine ${node}: this server is not part of a cluster with it.` };

export const noSession = (id: string): Refusal => ({ refused: 'not-found', message: `There is no session ${id}` });

export const SESSION_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/sessions',
    role: 'viewer',
    summary: 'All sessions, most recently used first',
    query: SessionQuery,
    answer: { status: 200, schema: SessionList },
    handle: async (services, { query, actor }) => {
      const checked = await withKnownAgents(services, query);
      if (isRefusal(checked)) return checked;
      const page = await services.sessionList.list(checked);
      const seen = services.seen.of(actor.id);
      return { status: 200, body: { ...page, sessions: page.sessions.map((session) => withUnread(session, seen)) } };
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions',
    role: 'driver',
    summary: 'Create a session; a known id with the same body returns the same session',
    body: CreateSessionBody,
    answer: { status: 201, schema: Session },
    refusals: [409, 413, 422, 429, 507],
    handle: (services, { body, actor }) => createSession(services, body, actor),
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id',
    role: 'viewer',
    summary: 'One session',
    params: OfSession,
    answer: { status: 200, schema: Session },
    refusals: [404],
    handle: async (services, { params, actor }) => {
      const session = await anySession(services, params.id);
      return session === undefined ? noSession(params.id) : { status: 200, body: withUnread(session, services.seen.of(actor.id)) };
    },
  }),
  route({
    method: 'PATCH',
    path: '/api/sessions/:id',
    role: 'driver',
    summary: 'Change title, tags, star, note or archived',
    params: OfSession,
    body: MetaBody,
    answer: { status: 200, schema: Session },
    refusals: [404, 422],
    handle: (services, { params, body, actor }) =>
      describe(services, { type: 'session.describe', commandId: newCommandId(), sessionId: params.id, ...body }, actor),
  }),
  route({
    method: 'DELETE',
    path: '/api/sessions/:id',
    role: 'owner',
    summary: 'End the session and forget it; the agent’s own files stay',
    params: OfSession,
    answer: { status: 200, schema: CommandAnswer },
    refusals: [404],
    handle: async ({ engine }, { params, actor }) => {
      const receipt = await engine.submit({ type: 'session.delete', commandId: newCommandId(), sessionId: params.id }, actor);
      return isRefusal(receipt) ? receipt : { status: 200, body: { commandId: receipt.commandId, seq: receipt.seq } };
    },
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/events',
    role: 'viewer',
    summary: 'Durable events in order: those after a seq, or the last ones before it',
    params: OfSession,
    query: PageQuery,
    answer: { status: 200, schema: EventList },
    refusals: [404],
    handle: async (services, { params, query }) => {
      const session = await anySession(services, params.id);
      if (session === undefined) return noSession(params.id);
      const { after, before, branch, limit = LIMITS.pageDefault } = query;
      if (after !== undefined && before !== undefined) return { refused: 'bad-request', message: 'Use either after or before, not both.' };
      const place = before === undefined ? { after: after ?? 0 } : { before };
      const events = await eventsOf(services, session, { ...place, limit, ...(branch !== undefined && { branch }) });
      return { status: 200, body: { events } };
    },
  }),
];

/** The command's id is derived from the session's id, so that the same request sent twice creates one session. */
async function createSession({ engine }: Services, body: CreateSessionBody, actor: Actor): Promise<Answer | Refusal> {
  const { node, id, agent, cwd, prompt, images, title, resume, fork, at, handover, takeover, worktree: wish, ...options } = body;
  const problem = noMachine(node) ?? messageProblem(prompt, images) ?? contradiction(body);
  if (problem !== undefined) return problem;
  const sessionId = id ?? SessionId.parse(freshId());
  const commandId = CommandId.parse(`create:${sessionId}`);
  const goOn = resume === undefined ? undefined : continueFromBody({ resume, fork, at, handover, id });
  const receipt = await engine.submit(
    {
      type: 'session.create',
      commandId,
      sessionId,
      agent,
      cwd,
      options,
      title,
      prompt,
      images,
      goOn,
      takeover,
      ...(wish !== undefined && { worktree: wish === true ? {} : wish }),
    },
    actor,
  );
  const isTaken = isRefusal(receipt) && receipt.refused === 'conflict' && engine.session(sessionId) !== undefined;
  if (isTaken) return { ...receipt, message: `There is already a session ${sessionId}, created with a different body.` };
  if (isRefusal(receipt)) return receipt;
  // Resuming a past session can return that session instead of a new one.
  const session = engine.session(receipt.sessionId);
  return session === undefined ? { refused: 'session-deleted', message: `Session ${receipt.sessionId} was deleted` } : { status: 201, body: session };
}

/** Refuses options that would otherwise be ignored silently: the caller did not ask for a fresh session. */
function contradiction({ resume, fork, at, handover }: CreateSessionBody): Refusal | undefined {
  const meant = fork === true ? 'fork' : handover === true ? 'handover' : at === undefined ? undefined : 'at';
  if (resume === undefined && meant !== undefined) {
    return { refused: 'bad-request', message: `"${meant}" needs "resume": the id of the conversation to continue, or "latest".` };
  }
  if (fork !== true || handover !== true) return undefined;
  return { refused: 'bad-request', message: 'Use either "fork" (a copy) or "handover" (a new conversation with a summary), not both.' };
}

/** Without an id of the caller's choice, a past session is resumed under the id it has. */
function continueFromBody({
  resume,
  fork,
  at,
  handover,
  id,
}: Pick<CreateSessionBody, 'fork' | 'at' | 'handover' | 'id'> & { readonly resume: string }): ContinueFrom {
  const how = handover === true ? 'handover' : fork === true ? 'fork' : 'resume';
  const takeUp = how === 'resume' && at === undefined && id === undefined;
  return { how, agentSessionId: resume, ...(at !== undefined && { at }), ...(takeUp && { takeUp }) };
}

async function describe({ engine }: Services, command: Command, actor: Actor): Promise<Answer | Refusal> {
  const receipt = await engine.submit(command, actor);
  if (isRefusal(receipt)) return receipt;
  const session = engine.session(command.sessionId);
  return session === undefined ? noSession(command.sessionId) : { status: 200, body: session };
}

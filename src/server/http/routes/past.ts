import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Actor } from '../../../protocol/actor.ts';
import { type ContinueFrom, isRefusal, type Refusal } from '../../../protocol/command.ts';
import { CommandAnswer, ForkBody, HandoverBody, InterruptBody, PastList, PastQuery, RewindAnswer, RewindBody } from '../../../protocol/http.ts';
import { AgentId, CommandId, SessionId } from '../../../protocol/ids.ts';
import { Session } from '../../../protocol/session.ts';
import { freshId, withoutDash } from '../../shared/fresh-id.ts';
import { messageProblem } from '../../shared/message-limits.ts';
import { anySession } from '../../shared/transcripts.ts';
import { rewindFiles } from '../rewind.ts';
import { type Answer, type Route, route, type Services } from '../route.ts';
import { newCommandId, noMachine, OfSession } from './session.ts';

const orNothing = <S extends z.core.$ZodType>(schema: S) => z._default(z.nullable(schema), null);

/** What a session can continue from, and how. */
export const PAST_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/agents/:id/past',
    role: 'viewer',
    summary: 'The agent’s conversations on disk, newest first, whichever program started them',
    params: z.object({ id: AgentId }),
    query: PastQuery,
    answer: { status: 200, schema: PastList },
    refusals: [404],
    handle: async ({ engine }, { params, query: { node, ...query } }) => {
      const elsewhere = noMachine(node);
      if (elsewhere !== undefined) return elsewhere;
      const list = await engine.past(params.id, query);
      return isRefusal(list) ? list : { status: 200, body: list };
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/fork',
    role: 'driver',
    summary: 'Fork: continue in a copy of the conversation, from its end or after any event',
    params: OfSession,
    body: orNothing(ForkBody),
    answer: { status: 201, schema: Session },
    refusals: [404, 409, 413, 422, 429, 507],
    handle: (services, { params, body, actor }) =>
      createFrom(services, params.id, { how: 'fork', sessionId: params.id, ...(body?.at !== undefined && { at: body.at }) }, body ?? {}, actor),
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/handover',
    role: 'driver',
    summary: 'Start a new conversation with a summary of this one',
    params: OfSession,
    body: orNothing(HandoverBody),
    answer: { status: 201, schema: Session },
    refusals: [404, 409, 413, 422, 429, 507],
    handle: (services, { params, body, actor }) =>
      createFrom(services, params.id, { how: 'handover', sessionId: params.id, ...(body?.how !== undefined && { summary: body.how }) }, body ?? {}, actor),
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/takeover',
    role: 'driver',
    summary: 'Stop the other program that has the conversation open, and continue it here',
    params: OfSession,
    body: orNothing(InterruptBody),
    answer: { status: 202, schema: CommandAnswer },
    refusals: [404, 409],
    handle: async ({ engine }, { params, body, actor }) => {
      const receipt = await engine.submit({ type: 'session.takeover', commandId: body?.commandId ?? newCommandId(), sessionId: params.id }, actor);
      return isRefusal(receipt) ? receipt : { status: 202, body: { commandId: receipt.commandId, seq: receipt.seq } };
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/rewind',
    role: 'driver',
    summary: 'Restore files to how they were at a message; a dry run lists them',
    params: OfSession,
    body: RewindBody,
    answer: { status: 200, schema: RewindAnswer },
    refusals: [404, 409, 422, 429],
    handle: ({ engine }, { params, body, actor }) => {
      const { seq, dryRun = false, commandId = newCommandId() } = body;
      return rewindFiles(engine, { type: 'files.rewind', commandId, sessionId: params.id, seq, dryRun }, actor);
    },
  }),
];

interface NewSession {
  readonly commandId?: CommandId | undefined;
  readonly prompt?: string | undefined;
  readonly title?: string | undefined;
}

/** The new session's id is derived from the command's id, so that the same request sent twice creates one session. */
export async function createFrom(services: Services, from: SessionId, goOn: ContinueFrom, body: NewSession, actor: Actor): Promise<Answer | Refusal> {
  const { engine } = services;
  const { commandId, prompt, title } = body;
  const problem = messageProblem(prompt, undefined);
  const parent = await anySession(services, from);
  if (problem !== undefined) return problem;
  if (parent === undefined) return { refused: 'not-found', message: `There is no session ${from}` };
  const sessionId = SessionId.parse(commandId === undefined ? freshId() : withoutDash(idFrom(commandId)));
  const { agent, cwd } = parent;
  const command = { type: 'session.create', commandId: commandId ?? CommandId.parse(`create:${sessionId}`), sessionId, agent, cwd, options: {} } as const;
  const receipt = await engine.submit({ ...command, goOn, ...(prompt !== undefined && { prompt }), ...(title !== undefined && { title }) }, actor);
  if (isRefusal(receipt)) return receipt;
  const session = engine.session(sessionId);
  return session === undefined ? { refused: 'session-deleted', message: `Session ${sessionId} was deleted` } : { status: 201, body: session };
}

const idFrom = (commandId: string): string => createHash('sha256').update(commandId).digest('base64url').slice(0, 22);

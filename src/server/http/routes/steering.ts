import * as z from 'zod/mini';
import { isRefusal } from '../../../protocol/command.ts';
import {
  CommandAnswer,
  InputAnswer,
  InterruptBody,
  PermissionAnswerBody,
  PermissionList,
  SendInputBody,
  SideQuestionAnswer,
  SideQuestionBody,
} from '../../../protocol/http.ts';
import { RequestId, SessionId } from '../../../protocol/ids.ts';
import { refusalToRemember } from '../../auth/roles.ts';
import { messageProblem } from '../../shared/message-limits.ts';
import { type Route, route } from '../route.ts';
import { newCommandId, OfSession } from './session.ts';

/** An empty body counts as `{}` where no field is required. */
const OptionalCommand = z._default(z.nullable(InterruptBody), null);

const steer = (
  verb: 'interrupt' | 'stop' | 'wake' | 'sleep',
  type: 'turn.interrupt' | 'session.stop' | 'session.wake' | 'session.sleep',
  summary: string,
): Route =>
  route({
    method: 'POST',
    path: `/api/sessions/:id/${verb}`,
    role: 'driver',
    summary,
    params: OfSession,
    body: OptionalCommand,
    answer: { status: 202, schema: CommandAnswer },
    refusals: [404, 409],
    handle: async ({ engine }, { params, body, actor }) => {
      const receipt = await engine.submit({ type, commandId: body?.commandId ?? newCommandId(), sessionId: params.id }, actor);
      return isRefusal(receipt) ? receipt : { status: 202, body: { commandId: receipt.commandId, seq: receipt.seq } };
    },
  });

export const STEERING_ROUTES: readonly Route[] = [
  route({
    method: 'POST',
    path: '/api/sessions/:id/input',
    role: 'driver',
    summary: 'Send a message. It is durable when this returns; the same commandId again is the same message',
    params: OfSession,
    body: SendInputBody,
    answer: { status: 202, schema: InputAnswer },
    refusals: [404, 409, 413, 422, 429, 507],
    handle: async ({ engine }, { params, body, actor }) => {
      const problem = messageProblem(body.text, body.images);
      if (problem !== undefined) return problem;
      const receipt = await engine.submit({ type: 'input.send', sessionId: params.id, ...body, commandId: body.commandId ?? newCommandId() }, actor);
      return isRefusal(receipt) ? receipt : { status: 202, body: { commandId: receipt.commandId, seq: receipt.seq, queued: receipt.queued ?? false } };
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/side-question',
    role: 'driver',
    summary: 'Ask the agent something beside its running turn, in a copy without tools that is deleted afterwards. Answers when the agent has answered',
    params: OfSession,
    body: SideQuestionBody,
    answer: { status: 200, schema: SideQuestionAnswer },
    refusals: [404, 409],
    handle: async ({ engine, sideQuestions }, { params: { id }, body: { question }, actor }) => {
      const session = engine.session(id);
      if (session === undefined) return { refused: 'not-found', message: `There is no session ${id} here. A past session has to be resumed first.` };
      const answer = await sideQuestions.ask(session, question, actor);
      return isRefusal(answer) ? answer : { status: 200, body: answer };
    },
  }),
  steer('interrupt', 'turn.interrupt', 'Interrupt the running turn'),
  steer('stop', 'session.stop', 'Stop the agent’s process; the next input wakes it again'),
  steer('wake', 'session.wake', 'Start the agent’s process'),
  steer('sleep', 'session.sleep', 'Put the session to sleep: stop the process, keep the session'),
  route({
    method: 'GET',
    path: '/api/permissions',
    role: 'viewer',
    summary: 'Open requests of all sessions',
    query: z.object({ session: z.optional(SessionId) }),
    answer: { status: 200, schema: PermissionList },
    handle: ({ engine }, { query }) => ({ status: 200, body: { permissions: engine.permissions(query.session) } }),
  }),
  route({
    method: 'POST',
    path: '/api/permissions/:requestId',
    role: 'driver',
    summary: 'Allow or deny a request; a second, different answer is refused',
    params: z.object({ requestId: RequestId }),
    body: PermissionAnswerBody,
    answer: { status: 200, schema: CommandAnswer },
    refusals: [404, 409],
    handle: async ({ engine }, { params, body, actor, role }) => {
      const refusal = refusalToRemember(role, body.remember);
      if (refusal !== undefined) return refusal;
      const sessionId = engine.sessionOfRequest(params.requestId);
      if (sessionId === undefined) return { refused: 'not-found', message: `There is no request ${params.requestId}` };
      const command = { type: 'permission.answer', sessionId, requestId: params.requestId, ...body, commandId: body.commandId ?? newCommandId() } as const;
      const receipt = await engine.submit(command, actor);
      return isRefusal(receipt) ? receipt : { status: 200, body: { commandId: receipt.commandId, seq: receipt.seq } };
    },
  }),
];

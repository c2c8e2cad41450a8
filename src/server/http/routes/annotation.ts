import * as z from 'zod/mini';
import { AnnotationId } from '../../../protocol/annotation.ts';
import { Annotation, AnnotationList, AnnotationQuery, EditAnnotationBody, MakeAnnotationBody, SettleBody } from '../../../protocol/api/annotations.ts';
import { type Command, isRefusal, type Refusal } from '../../../protocol/command.ts';
import { CommandAnswer } from '../../../protocol/http.ts';
import { anchorOf } from '../../annotations/anchor.ts';
import { allAnnotations } from '../../annotations/reviews.ts';
import { anySession } from '../../shared/transcripts.ts';
import { type Answer, type Route, route, type Services } from '../route.ts';
import { newCommandId, noSession, OfSession } from './session.ts';

const OfAnnotation = z.object({ id: AnnotationId });

export const ANNOTATION_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/annotations',
    role: 'viewer',
    summary: 'Comments in all sessions, with their place now and what was done about them; `file` can be the end of a path',
    query: AnnotationQuery,
    answer: { status: 200, schema: AnnotationList },
    handle: async (services, { query: { session, state, kind, file } }) => {
      const all = await allAnnotations(services, session);
      const isOn = (one: Annotation): boolean => file === undefined || (one.target.type === 'code' && `/${one.target.file}`.endsWith(`/${file}`));
      const annotations = all.filter((one) => (state === undefined || one.state === state) && (kind === undefined || one.kind === kind) && isOn(one));
      return { status: 200, body: { annotations } };
    },
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/annotations',
    role: 'viewer',
    summary: 'Comments made in one session',
    params: OfSession,
    answer: { status: 200, schema: AnnotationList },
    refusals: [404],
    handle: async (services, { params: { id } }) => {
      const session = await anySession(services, id);
      return session === undefined ? noSession(id) : { status: 200, body: { annotations: await services.annotations.ofSession(services, session) } };
    },
  }),
  route({
    method: 'POST',
    path: '/api/annotations',
    role: 'driver',
    summary: 'Comment on lines of a file, on a message or on a tool call; stays a draft until it is sent',
    body: MakeAnnotationBody,
    answer: { status: 201, schema: Annotation },
    refusals: [404, 409, 422],
    handle: async (services, { body, actor }) => {
      const { sessionId, target, quote, seq, kind, text, suggestion } = body;
      if (hasNull(text) || hasNull(suggestion)) return NULL_CHARACTER;
      const session = await anySession(services, sessionId);
      if (session === undefined) return noSession(sessionId);
      const anchored = await anchorOf(services, session, { target, quote, seq });
      if (isRefusal(anchored)) return anchored;
      const commandId = body.commandId ?? newCommandId();
      const annotationId = body.annotationId ?? AnnotationId.parse(commandId.replace(/[^A-Za-z0-9_-]/g, '-').slice(0, 64));
      const command = {
        type: 'annotation.make',
        commandId,
        sessionId,
        annotationId,
        kind,
        text,
        ...(suggestion !== undefined && { suggestion }),
        ...anchored,
      } as const;
      const receipt = await services.engine.submit(command, actor);
      return isRefusal(receipt) ? receipt : found(services, annotationId, 201);
    },
  }),
  route({
    method: 'PATCH',
    path: '/api/annotations/:id',
    role: 'driver',
    summary: 'Change a comment that has not been sent',
    params: OfAnnotation,
    body: EditAnnotationBody,
    answer: { status: 200, schema: Annotation },
    refusals: [404, 409, 422],
    handle: async (services, { params: { id }, body: { commandId = newCommandId(), ...change }, actor }) => {
      if (hasNull(change.text) || hasNull(change.suggestion)) return NULL_CHARACTER;
      return on(services, id, async (one) => {
        const receipt = await services.engine.submit({ type: 'annotation.edit', commandId, sessionId: one.sessionId, annotationId: id, ...change }, actor);
        return isRefusal(receipt) ? receipt : found(services, id, 200);
      });
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/annotations/:id',
    role: 'driver',
    summary: 'Withdraw a comment that has not been sent',
    params: OfAnnotation,
    answer: { status: 200, schema: CommandAnswer },
    refusals: [404, 409],
    handle: (services, { params: { id }, actor }) =>
      on(services, id, ({ sessionId }) => submitted(services, { type: 'annotation.withdraw', commandId: newCommandId(), sessionId, annotationId: id }, actor)),
  }),
  route({
    method: 'POST',
    path: '/api/annotations/:id/settle',
    role: 'driver',
    summary: 'Decide that a comment is done (verified), no longer wanted (dropped), or open again (reopened)',
    params: OfAnnotation,
    body: SettleBody,
    answer: { status: 200, schema: CommandAnswer },
    refusals: [404, 409],
    handle: (services, { params: { id }, body: { commandId = newCommandId(), outcome, note }, actor }) =>
      on(services, id, ({ sessionId }) =>
        submitted(services, { type: 'annotation.settle', commandId, sessionId, annotationId: id, outcome, ...(note !== undefined && { note }) }, actor),
      ),
  }),
];

const NULL_CHARACTER: Refusal = { refused: 'out-of-range', message: 'A comment can’t contain a null character.' };
const hasNull = (text: string | undefined): boolean => text?.includes('\0') ?? false;

async function on(services: Services, id: AnnotationId, act: (one: Annotation) => Promise<Answer | Refusal>): Promise<Answer | Refusal> {
  const one = (await allAnnotations(services)).find(({ annotationId }) => annotationId === id);
  return one === undefined ? { refused: 'not-found', message: `There is no comment ${id}.` } : act(one);
}

const found = (services: Services, id: AnnotationId, status: number): Promise<Answer | Refusal> => on(services, id, async (body) => ({ status, body }));

async function submitted(services: Services, command: Command, actor: Parameters<Services['engine']['submit']>[1]): Promise<Answer | Refusal> {
  const receipt = await services.engine.submit(command, actor);
  return isRefusal(receipt) ? receipt : { status: 200, body: { commandId: receipt.commandId, seq: receipt.seq } };
}

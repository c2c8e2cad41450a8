import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import * as z from 'zod/mini';
import { BadCursor, BadQuery } from '../../index/list/session-list.ts';
import type { Refusal } from '../../protocol/command.ts';
import type { Log } from './log.ts';
import { suggestionFor, type UnknownField } from './unknown-fields.ts';

/** The status of each refusal; the message comes with the refusal. */
export const STATUS_OF_REFUSAL: Readonly<Record<Refusal['refused'], number>> = {
  'bad-request': 400,
  'not-found': 404,
  conflict: 409,
  'too-many-live': 429,
  'too-large': 413,
  'out-of-range': 422,
  'queue-full': 429,
  'agent-unavailable': 422,
  'not-allowed-folder': 403,
  'not-permitted': 403,
  'already-answered': 409,
  'nothing-to-interrupt': 409,
  'disk-low': 507,
  'session-deleted': 410,
  'driven-elsewhere': 409,
  'cannot-resume': 422,
  'not-supported': 422,
  'shutting-down': 503,
};

/** Refused before anything reached the engine. */
class HttpFault extends Error {
  override readonly name = 'HttpFault';
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const errorBody = (code: string, message: string, id?: string, details?: unknown) => ({
  error: { code, message, ...(id === undefined ? {} : { id }), ...(details === undefined ? {} : { details }) },
});

export function sendError(reply: FastifyReply, status: number, code: string, message: string, details?: unknown): FastifyReply {
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .send(errorBody(code, message, undefined, details));
}

/** What doesn't match its schema. Past a stated limit it is 413 (bytes) or 422 (number of things), else 400. */
export function faultOfIssues(error: z.core.$ZodError, where: string): HttpFault {
  const big = error.issues.find((issue) => issue.code === 'too_big' && where === 'body');
  const message = error.issues
    .map((issue) => [issue.path.join('.'), issue.message.replace(/^Invalid input: /, '')].filter((part) => part !== '').join(': '))
    .join('; ');
  if (big === undefined) return new HttpFault(400, 'bad-request', `Invalid ${where}: ${message}`);
  const isSize = 'origin' in big && big.origin === 'string' && ['text', 'prompt', 'base64'].includes(String(big.path.at(-1)));
  return new HttpFault(isSize ? 413 : 422, 'too-large', message);
}

/** A field or parameter that nothing reads. */
export const faultOfUnknown = (field: UnknownField, where: 'query' | 'body'): HttpFault =>
  new HttpFault(400, 'bad-request', `Unknown ${where === 'query' ? 'query parameter' : 'field'} "${field.name}".${suggestionFor(field)} Nothing was changed.`);

/** What the machine lacks while a request is handled. The request may have been stored before that. */
const SHORTAGES: Readonly<Record<string, { readonly status: number; readonly code: string; readonly message: string }>> = {
  EMFILE: { status: 503, code: 'no-descriptors', message: 'The server has no file descriptors left (raise its limit with "ulimit -n").' },
  ENFILE: { status: 503, code: 'no-descriptors', message: 'The machine has no file descriptors left.' },
  ENOMEM: { status: 503, code: 'no-memory', message: 'The machine has no memory left.' },
  ENOSPC: { status: 507, code: 'disk-low', message: 'The disk is full.' },
  EDQUOT: { status: 507, code: 'disk-low', message: 'The disk is full.' },
};
const SEND_AGAIN = 'What you asked for may have been done: send it again with the same id, and it is done once.';

/** Our own errors have the system's error as their cause. */
function systemCodeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string' && error.code in SHORTAGES) return error.code;
  return systemCodeOf(error.cause);
}

/** Turns any error into one short answer; unexpected ones are logged under an id, and only the id is shown. */
export function sendUnexpectedError(error: unknown, reply: FastifyReply, log: Log): FastifyReply {
  if (error instanceof HttpFault) return sendError(reply, error.status, error.code, error.message);
  if (error instanceof BadCursor || error instanceof BadQuery) return sendError(reply, 400, 'bad-request', error.message);
  const known = knownFrameworkError(error);
  if (known !== undefined) return sendError(reply, known.status, known.code, known.message);
  const shortage = SHORTAGES[systemCodeOf(error)];
  if (shortage !== undefined) return sendError(reply.header('retry-after', '1'), shortage.status, shortage.code, `${shortage.message} ${SEND_AGAIN}`);
  const id = randomUUID();
  log.error({ id, err: error, method: reply.request.method, route: reply.request.routeOptions.url }, 'a request failed unexpectedly');
  return reply
    .code(500)
    .header('cache-control', 'no-store')
    .send(errorBody('internal', `Something went wrong in the server. Its log has the details under ${id}.`, id));
}

const FrameworkError = z.object({ code: z.string(), statusCode: z.int() });

function knownFrameworkError(error: unknown): HttpFault | undefined {
  const parsed = z.safeParse(FrameworkError, error);
  if (!parsed.success || parsed.data.statusCode >= 500) return undefined;
  if (parsed.data.statusCode === 413) return new HttpFault(413, 'too-large', 'The request body is too large.');
  if (parsed.data.statusCode === 415) return new HttpFault(415, 'bad-request', 'Send JSON with the header "content-type: application/json".');
  return new HttpFault(parsed.data.statusCode, 'bad-request', 'The request is malformed: check the JSON in its body.');
}

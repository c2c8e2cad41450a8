import type * as z from 'zod/mini';
import type { API } from './routes.ts';

export type { Actor, Role } from '../protocol/actor.ts';
export type { Event, EventOf, EventType } from '../protocol/event.ts';
export type { ClientFrame, ServerFrame } from '../protocol/frame.ts';
export type { WaitingPermission } from '../protocol/http.ts';
export type { Session, Status } from '../protocol/session.ts';
export { type LiveOptions, openLive } from './live.ts';

type Routes = typeof API;
/** A route as the API lists it, such as `GET /api/sessions/:id`. */
export type Route = keyof Routes;

type Names<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
type Given<Row, Field extends string> = Row extends Readonly<Record<Field, infer Schema extends z.ZodMiniType>> ? z.input<Schema> : never;

type Params<R extends Route> = [Names<R>] extends [never] ? { readonly params?: undefined } : { readonly params: Readonly<Record<Names<R>, string | number>> };
type Query<R extends Route> = Routes[R] extends { readonly query: z.ZodMiniType }
  ? { readonly query?: Given<Routes[R], 'query'> }
  : { readonly query?: undefined };
type Body<R extends Route> = Routes[R] extends { readonly body: infer Schema extends z.ZodMiniType }
  ? undefined extends z.input<Schema>
    ? { readonly body?: z.input<Schema> }
    : { readonly body: z.input<Schema> }
  : { readonly body?: undefined };

export type Options<R extends Route> = Params<R> & Query<R> & Body<R> & { readonly signal?: AbortSignal };
/** What a route answers; a `Response` where it is a file or text. */
export type Answer<R extends Route> = Routes[R] extends { readonly answer: infer Schema extends z.ZodMiniType } ? z.output<Schema> : Response;

/** The server refused; the message says why, in words for people. */
export class SignalboxError extends Error {
  override readonly name = 'SignalboxError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details?: unknown,
  ) {
    super(message);
  }
}

export interface ClientOptions {
  /** Such as `http://127.0.0.1:4750`. */
  readonly url: string;
  readonly token: string;
  readonly fetch?: typeof fetch;
}

export interface SignalboxClient {
  /** Calls a route. Throws `SignalboxError` when the server refuses, and what `fetch` throws when there is no answer. */
  request<R extends Route>(route: R, ...options: Record<never, never> extends Options<R> ? [Options<R>?] : [Options<R>]): Promise<Answer<R>>;
}

/** A client for one server and one token. */
export function createClient({ url, token, fetch: send = fetch }: ClientOptions): SignalboxClient {
  const base = url.replace(/\/$/, '');
  const request = async (route: string, { params, query, body, signal }: AnyOptions = {}): Promise<unknown> => {
    const [method = 'GET', path = ''] = route.split(' ');
    const response = await send(`${base}${withParams(path, params)}${queryOf(query)}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (!response.ok) throw await errorIn(response);
    return response.headers.get('content-type')?.startsWith('application/json') ? response.json() : response;
  };
  // The table says what each route answers; the server checks its own answers against it.
  return { request: request as SignalboxClient['request'] };
}

interface AnyOptions {
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

function withParams(path: string, params: AnyOptions['params'] = {}): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`"${path}" needs params.${name}`);
    return encodeURIComponent(value);
  });
}

function queryOf(query: AnyOptions['query'] = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
}

async function errorIn(response: Response): Promise<SignalboxError> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text);
    return new SignalboxError(response.status, String(error.code), String(error.message), error.details);
  } catch {
    return new SignalboxError(response.status, 'unexpected', text.slice(0, 1000) || `The server answered with status ${response.status}`);
  }
}

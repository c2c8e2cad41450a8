import type { Life } from '../../cluster/carrier.ts';
import type { Vouched } from '../../cluster/frames.ts';
import type { RemoteRequest, RemoteResponse } from '../../cluster/requests-out.ts';
import type { Role } from '../../protocol/actor.ts';
import { mayActAs } from '../auth/roles.ts';
import type { Identity } from '../auth/tokens.ts';
import { asVouched } from '../auth/vouched.ts';
import type { RemoteContext } from './remote-context.ts';

/** Headers of an answer that mean something to a client of the other machine; the others are set there anew. */
const PASSED = ['content-type', 'content-disposition', 'content-security-policy', 'cache-control', 'etag', 'retry-after'];

/** Answers a request of another machine with the same routes that answer people here, in the name of the person it vouches for. */
export async function answer(context: RemoteContext, from: Life, request: RemoteRequest): Promise<RemoteResponse> {
  const sender = { identity: identityOf(context, from, request.who), from: request.who.from };
  const { method, url, type, body } = request;
  if (!isMethod(method) || !url.startsWith('/api/')) return NOT_FOR_MACHINES;
  // Awaited inside: the request is only dispatched when somebody waits for it.
  const inject = async () =>
    await context.local.app.inject({
      method,
      url,
      headers: { host: 'localhost', ...(type !== undefined && { 'content-type': type }) },
      ...(body.length > 0 && { payload: Buffer.from(body) }),
    });
  const response = await asVouched(sender, inject);
  const headers = PASSED.flatMap((name) => (response.headers[name] === undefined ? [] : [[name, String(response.headers[name])] as const]));
  return { status: response.statusCode, headers: Object.fromEntries(headers), body: response.rawPayload };
}

/** Who they are here: under the id their machine gave them, which is none of ours, and with what this machine allows others. */
export const identityOf = ({ clusterRole }: Pick<RemoteContext, 'clusterRole'>, from: Life, who: Vouched): Identity => ({
  id: who.id,
  name: who.name,
  role: lower(who.role, clusterRole),
  hash: '',
  via: from.node,
});

const lower = (one: Role, other: Role): Role => (mayActAs(one, other) ? other : one);

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const isMethod = (method: string): method is (typeof METHODS)[number] => METHODS.some((one) => one === method);

const NOT_FOR_MACHINES: RemoteResponse = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ error: { code: 'not-found', message: 'Nothing found at this address.' } })),
};

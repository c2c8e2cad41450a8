import * as z from 'zod/mini';
import { TokenName } from '../../../protocol/actor.ts';
import { isRefusal } from '../../../protocol/command.ts';
import { Me, NewToken, NewTokenBody, RevokedToken, TokenList } from '../../../protocol/http.ts';
import { type Route, route } from '../route.ts';

export const TOKEN_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/me',
    role: 'viewer',
    summary: 'Whose token this is, and its role',
    answer: { status: 200, schema: Me },
    handle: (_services, { actor: { id, name }, role }) => ({ status: 200, body: { id, name, role } }),
  }),
  route({
    method: 'GET',
    path: '/api/tokens',
    role: 'owner',
    summary: 'Tokens with name, role and last use; never the secrets',
    answer: { status: 200, schema: TokenList },
    handle: ({ tokens }) => ({ status: 200, body: { tokens: tokens.list() } }),
  }),
  route({
    method: 'POST',
    path: '/api/tokens',
    role: 'owner',
    summary: 'Create a token; its secret is shown only in this response',
    body: NewTokenBody,
    answer: { status: 201, schema: NewToken },
    refusals: [409],
    handle: async ({ tokens }, { body: { name, role }, actor }) => {
      const added = await tokens.add(name, role, actor);
      return isRefusal(added) ? added : { status: 201, body: { name, role, token: added.secret } };
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/tokens/:name',
    role: 'owner',
    summary: 'Revoke a token; its open connections are closed immediately',
    params: z.object({ name: TokenName }),
    answer: { status: 200, schema: RevokedToken },
    refusals: [404, 409],
    handle: async ({ tokens }, { params, actor }) => {
      const revoked = await tokens.revoke(params.name, actor);
      return isRefusal(revoked) ? revoked : { status: 200, body: revoked };
    },
  }),
];

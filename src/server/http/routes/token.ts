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
    summary: 'Whose token this is, and what it may do',
    answer: { status: 200, schema: Me },
    handle: (_services, { actor: { id, name }, role }) => ({ status: 200, body: { id, name, role } }),
  }),
  route({
    method: 'GET',
    path: '/api/tokens',
    role: 'owner',
    summary: 'Who has a token, with which role, and when it was last used; never a secret',
    answer: { status: 200, schema: TokenList },
    handle: ({ tokens }) => ({ status: 200, body: { tokens: tokens.list() } }),
  }),
  route({
    method: 'POST',
    path: '/api/tokens',
    role: 'owner',
    summary: 'Give somebody a token; its secret is in this answer and never again',
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
    summary: 'Take a token away: at once, open connections included',
    params: z.object({ name: TokenName }),
    answer: { status: 200, schema: RevokedToken },
    refusals: [404, 409],
    handle: async ({ tokens }, { params, actor }) => {
      const revoked = await tokens.revoke(params.name, actor);
      return isRefusal(revoked) ? revoked : { status: 200, body: revoked };
    },
  }),
];

import * as z from 'zod/mini';
import { TokenName } from '../../protocol/actor.ts';
import type { Refusal } from '../../protocol/command.ts';
import { NewToken, NewTokenBody, RevokedToken, TokenList } from '../../protocol/http.ts';
import { OWNER_NAME, TokenProblem } from '../auth/named-tokens.ts';
import { type Route, route } from './route.ts';

export const TOKEN_ROUTES: readonly Route[] = [
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
    handle: ({ tokens }, { body, actor }) => {
      try {
        return { status: 201, body: { name: body.name, role: body.role, token: tokens.add(body.name, body.role, actor) } };
      } catch (error) {
        if (error instanceof TokenProblem) return { refused: 'conflict', message: error.message };
        throw error;
      }
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
    handle: ({ tokens }, { params, actor }) => {
      if (params.name === OWNER_NAME) return OWNERS_OWN;
      if (!tokens.revoke(params.name, actor)) return { refused: 'not-found', message: `There is no token named ${params.name}` };
      return { status: 200, body: { name: params.name } };
    },
  }),
];

const OWNERS_OWN: Refusal = {
  refused: 'conflict',
  message: 'The owner’s token is the file "token" of the data folder: delete it and start the server again, and a new one is made',
};

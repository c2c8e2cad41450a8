import * as z from 'zod/mini';
import { AskId, HookAnswer, HookBody, HookReply, HookStatus } from '../../../../protocol/api/outside/hooks.ts';
import { isRefusal, type Refusal } from '../../../../protocol/command.ts';
import { type Route, route } from '../../route.ts';
import { waitOf } from './wait.ts';

const report = (path: string, summary: string): Route =>
  route({
    method: 'POST',
    path,
    role: 'owner',
    summary,
    body: HookBody,
    answer: { status: 200, schema: HookReply },
    refusals: [413],
    handle: async ({ terminals }, { body, hook, actor, gone }) => {
      if (hook !== body.agent) return ONLY_HOOKS;
      const reply = await terminals.report(body, actor.from ?? 'hook', gone);
      return isRefusal(reply) ? reply : { status: 200, body: reply };
    },
  });

/** What the hooks of an agent in a terminal use. Their token is allowed to use nothing else. */
export const HOOK_ROUTES: readonly Route[] = [
  report('/api/hooks/permission', 'An agent in a terminal asks for permission; used by its hook'),
  report('/api/hooks/event', 'Something happened to an agent in a terminal; used by its hooks'),
  route({
    method: 'GET',
    path: '/api/hooks/permission/:askId',
    role: 'owner',
    summary: 'Wait for the answer to a request of a hook',
    params: z.object({ askId: AskId }),
    query: z.object({ timeout: z.optional(z.string()) }),
    answer: { status: 200, schema: HookAnswer },
    refusals: [404, 422],
    handle: async ({ terminals }, { params, query, hook, gone }) => {
      const timeoutMs = waitOf(query.timeout);
      if (hook === undefined) return ONLY_HOOKS;
      if (typeof timeoutMs !== 'number') return timeoutMs;
      const answer = await terminals.answer(params.askId, timeoutMs, gone);
      return answer === undefined ? { refused: 'not-found', message: 'There is no such request.' } : { status: 200, body: answer };
    },
  }),
  route({
    method: 'GET',
    path: '/api/hooks/status',
    role: 'owner',
    summary: 'How many requests need somebody; used by the status line in a terminal',
    answer: { status: 200, schema: HookStatus },
    handle: ({ waitingNow, version }) => ({ status: 200, body: { version, waiting: waitingNow() } }),
  }),
];

const ONLY_HOOKS: Refusal = { refused: 'not-permitted', message: 'Only the hooks of an agent in a terminal use this, with their own token.' };

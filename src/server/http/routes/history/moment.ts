import * as z from 'zod/mini';
import { SessionAt } from '../../../../protocol/api/moment.ts';
import { isRefusal } from '../../../../protocol/command.ts';
import { SessionId } from '../../../../protocol/ids.ts';
import { anySession } from '../../../shared/transcripts.ts';
import { type Route, route } from '../../route.ts';
import { noSession } from '../session.ts';

export const MOMENT_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/sessions/:id/at/:seq',
    role: 'viewer',
    summary: 'The session right after one of its events: status, context, cost, open requests, queue, changes, last checkpoint',
    params: z.object({ id: SessionId, seq: z.coerce.number().check(z.int(), z.minimum(1)) }),
    answer: { status: 200, schema: SessionAt },
    refusals: [404, 422],
    handle: async (services, { params: { id, seq } }) => {
      const session = await anySession(services, id);
      if (session === undefined) return noSession(id);
      const moment = await services.moments.at(services, session, seq);
      return isRefusal(moment) ? moment : { status: 200, body: moment };
    },
  }),
];

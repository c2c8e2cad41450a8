import { Blame, BlameQuery } from '../../../../protocol/api/blame.ts';
import { isRefusal } from '../../../../protocol/command.ts';
import { type Route, route } from '../../route.ts';

export const BLAME_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/blame',
    role: 'viewer',
    summary: 'Who wrote a line of a file: session, turn, call, prompt and approval, or git’s own answer',
    query: BlameQuery,
    answer: { status: 200, schema: Blame },
    refusals: [403, 404, 413, 422],
    handle: async (services, { query }) => {
      const blame = await services.blame.read(services, query);
      return isRefusal(blame) ? blame : { status: 200, body: blame };
    },
  }),
];

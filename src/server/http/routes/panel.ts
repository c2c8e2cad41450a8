import { PanelAnswer, PanelQuery } from '../../../protocol/api/panel.ts';
import { type Route, route } from '../route.ts';

export const PANEL_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/panel',
    role: 'viewer',
    summary: 'Recent activity of live and recent sessions for the panel; at most the last four hours',
    query: PanelQuery,
    answer: { status: 200, schema: PanelAnswer },
    handle: async ({ engine, panel }, { query }) => ({
      status: 200,
      body: await panel.read(engine, query.since === undefined ? undefined : Date.parse(query.since)),
    }),
  }),
];

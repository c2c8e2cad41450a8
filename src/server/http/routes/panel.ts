import { PanelAnswer, PanelQuery } from '../../../protocol/api/panel.ts';
import { type Route, route } from '../route.ts';

export const PANEL_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/panel',
    role: 'viewer',
    summary: 'What live and recent sessions did lately, as the panel draws it; at most the last four hours',
    query: PanelQuery,
    answer: { status: 200, schema: PanelAnswer },
    handle: async ({ engine, panel }, { query }) => ({
      status: 200,
      body: await panel.read(engine, query.since === undefined ? undefined : Date.parse(query.since)),
    }),
  }),
];

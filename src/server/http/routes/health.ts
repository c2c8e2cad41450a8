import { SessionHealth } from '../../../protocol/api/health.ts';
import { type Route, route } from '../route.ts';
import { noSession, OfSession } from './session.ts';

export const HEALTH_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/sessions/:id/health',
    role: 'viewer',
    summary: 'Context pressure, compactions, how the session ended and why, and findings',
    params: OfSession,
    answer: { status: 200, schema: SessionHealth },
    refusals: [404],
    handle: async ({ engine, sessionIndex, health }, { params }) => {
      const session = engine.session(params.id);
      const known = session === undefined || session.past !== undefined ? await sessionIndex.health(params.id) : undefined;
      if (known !== undefined) return { status: 200, body: known };
      return session === undefined ? noSession(params.id) : { status: 200, body: await health.read(engine, session) };
    },
  }),
];

import * as z from 'zod/mini';
import { BranchList, IndexProgress, KeptBody, KeptState, RestoreAnswer } from '../../../protocol/api/archive.ts';
import { HitList, SearchQuery } from '../../../protocol/api/search.ts';
import { UsageList, UsageQuery } from '../../../protocol/api/usage.ts';
import { isRefusal } from '../../../protocol/command.ts';
import { ProjectList, ProjectQuery, SessionList, SessionQuery } from '../../../protocol/http.ts';
import { anySession } from '../../shared/transcripts.ts';
import { withKnownAgents } from '../known-agents.ts';
import { type Route, route } from '../route.ts';
import { noSession, OfSession } from './session.ts';

/** Search and statistics over all sessions, live and past. */
export const INDEX_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/search',
    role: 'viewer',
    summary: 'Search everything that any agent ever did, best match first',
    query: SearchQuery,
    answer: { status: 200, schema: HitList },
    handle: async (services, { query }) => {
      const checked = await withKnownAgents(services, query);
      return isRefusal(checked) ? checked : { status: 200, body: await services.sessionIndex.search(checked, services.hidden()) };
    },
  }),
  route({
    method: 'GET',
    path: '/api/usage',
    role: 'viewer',
    summary: 'Tokens, cost, turns and time by day, model, project or agent',
    query: UsageQuery,
    answer: { status: 200, schema: UsageList },
    handle: async (services, { query }) => {
      const checked = await withKnownAgents(services, query);
      return isRefusal(checked) ? checked : { status: 200, body: await services.sessionIndex.usage(checked, services.hidden()) };
    },
  }),
  route({
    method: 'GET',
    path: '/api/projects',
    role: 'viewer',
    summary: 'Folders that have sessions, most recently used first',
    query: ProjectQuery,
    answer: { status: 200, schema: ProjectList },
    handle: async (services, { query }) => {
      const checked = await withKnownAgents(services, query);
      return isRefusal(checked) ? checked : { status: 200, body: { projects: await services.sessionIndex.projects(checked.agent, services.hidden()) } };
    },
  }),
  route({
    method: 'GET',
    path: '/api/projects/:id/sessions',
    role: 'viewer',
    summary: 'Sessions of one folder, most recently used first',
    params: z.object({ id: z.string() }),
    query: SessionQuery,
    answer: { status: 200, schema: SessionList },
    handle: async (services, { params, query }) => {
      const checked = await withKnownAgents(services, query);
      return isRefusal(checked) ? checked : { status: 200, body: await services.sessionList.list({ ...checked, project: params.id }) };
    },
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/branches',
    role: 'viewer',
    summary: 'The branches of a conversation that was continued from more than one point',
    params: OfSession,
    answer: { status: 200, schema: BranchList },
    refusals: [404],
    handle: async (services, { params }) => {
      if ((await anySession(services, params.id)) === undefined) return noSession(params.id);
      return { status: 200, body: { branches: await services.sessionIndex.branches(params.id) } };
    },
  }),
  route({
    method: 'GET',
    path: '/api/index',
    role: 'viewer',
    summary: 'Progress of indexing past sessions, and which files could not be read',
    answer: { status: 200, schema: IndexProgress },
    handle: ({ sessionIndex }) => ({ status: 200, body: sessionIndex.progress() }),
  }),
  route({
    method: 'POST',
    path: '/api/index/rebuild',
    role: 'owner',
    summary: 'Rebuild the session list, search, usage and health; nothing is lost',
    answer: { status: 202, schema: IndexProgress },
    handle: async ({ sessionIndex }) => {
      await sessionIndex.rebuild();
      return { status: 202, body: sessionIndex.progress() };
    },
  }),
  route({
    method: 'GET',
    path: '/api/kept',
    role: 'viewer',
    summary: 'Copies of transcripts made before their CLI deletes them, and their size on disk',
    answer: { status: 200, schema: KeptState },
    handle: async ({ sessionIndex }) => ({ status: 200, body: await sessionIndex.kept() }),
  }),
  route({
    method: 'PUT',
    path: '/api/kept',
    role: 'owner',
    summary: 'Turn copying on or off; existing copies are kept',
    body: KeptBody,
    answer: { status: 200, schema: KeptState },
    handle: async ({ sessionIndex }, { body }) => ({ status: 200, body: await sessionIndex.keep(body.on) }),
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/restore',
    role: 'owner',
    summary: 'Restore the copy of a transcript to where its CLI looks for it',
    params: OfSession,
    answer: { status: 200, schema: RestoreAnswer },
    refusals: [404, 409],
    handle: async (services, { params }) => {
      if ((await anySession(services, params.id)) === undefined) return noSession(params.id);
      const restored = await services.sessionIndex.restore(params.id);
      return isRefusal(restored) ? restored : { status: 200, body: restored };
    },
  }),
];

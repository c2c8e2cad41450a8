import * as z from 'zod/mini';
import { BranchList, IndexProgress, KeptBody, KeptState, RestoreAnswer } from '../../../protocol/api/archive.ts';
import { HitList, SearchQuery } from '../../../protocol/api/search.ts';
import { UsageList, UsageQuery } from '../../../protocol/api/usage.ts';
import { isRefusal } from '../../../protocol/command.ts';
import { ProjectList, ProjectQuery, SessionList, SessionQuery } from '../../../protocol/http.ts';
import { anySession } from '../../transcripts.ts';
import { type Route, route } from '../route.ts';
import { noSession, OfSession } from './session.ts';

/** What is found and counted over all sessions, live and past. */
export const LIBRARY_ROUTES: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/search',
    role: 'viewer',
    summary: 'Hits in everything that any agent ever did, the best first',
    query: SearchQuery,
    answer: { status: 200, schema: HitList },
    handle: async ({ library, hidden }, { query }) => ({ status: 200, body: await library.search(query, hidden()) }),
  }),
  route({
    method: 'GET',
    path: '/api/usage',
    role: 'viewer',
    summary: 'Tokens, cost, turns and time by day, model, project or agent',
    query: UsageQuery,
    answer: { status: 200, schema: UsageList },
    handle: async ({ library, hidden }, { query }) => ({ status: 200, body: await library.usage(query, hidden()) }),
  }),
  route({
    method: 'GET',
    path: '/api/projects',
    role: 'viewer',
    summary: 'Folders that have sessions, newest use first',
    query: ProjectQuery,
    answer: { status: 200, schema: ProjectList },
    handle: async ({ library, hidden }, { query }) => ({ status: 200, body: { projects: await library.projects(query.agent, hidden()) } }),
  }),
  route({
    method: 'GET',
    path: '/api/projects/:id/sessions',
    role: 'viewer',
    summary: 'Sessions of one folder, newest use first',
    params: z.object({ id: z.string() }),
    query: SessionQuery,
    answer: { status: 200, schema: SessionList },
    handle: async ({ views }, { params, query }) => ({ status: 200, body: await views.list({ ...query, project: params.id }) }),
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/branches',
    role: 'viewer',
    summary: 'The ways through a conversation that was gone on with from more than one place',
    params: OfSession,
    answer: { status: 200, schema: BranchList },
    refusals: [404],
    handle: async (services, { params }) => {
      if ((await anySession(services, params.id)) === undefined) return noSession(params.id);
      return { status: 200, body: { branches: await services.library.branches(params.id) } };
    },
  }),
  route({
    method: 'GET',
    path: '/api/index',
    role: 'viewer',
    summary: 'How far the reading of all records has come, and which could not be read',
    answer: { status: 200, schema: IndexProgress },
    handle: ({ library }) => ({ status: 200, body: library.progress() }),
  }),
  route({
    method: 'POST',
    path: '/api/index/rebuild',
    role: 'owner',
    summary: 'Drop lists, search, usage and health, and make them again; nothing is lost',
    answer: { status: 202, schema: IndexProgress },
    handle: async ({ library }) => {
      await library.rebuild();
      return { status: 202, body: library.progress() };
    },
  }),
  route({
    method: 'GET',
    path: '/api/kept',
    role: 'viewer',
    summary: 'Copies of records that are kept before their CLI deletes them, and what they cost on disk',
    answer: { status: 200, schema: KeptState },
    handle: async ({ library }) => ({ status: 200, body: await library.kept() }),
  }),
  route({
    method: 'PUT',
    path: '/api/kept',
    role: 'owner',
    summary: 'Keep copies, or stop keeping new ones',
    body: KeptBody,
    answer: { status: 200, schema: KeptState },
    handle: async ({ library }, { body }) => ({ status: 200, body: await library.keep(body.on) }),
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/restore',
    role: 'owner',
    summary: 'Put the kept copy of a record back where its CLI finds it',
    params: OfSession,
    answer: { status: 200, schema: RestoreAnswer },
    refusals: [404, 409],
    handle: async (services, { params }) => {
      if ((await anySession(services, params.id)) === undefined) return noSession(params.id);
      const restored = await services.library.restore(params.id);
      return isRefusal(restored) ? restored : { status: 200, body: restored };
    },
  }),
];

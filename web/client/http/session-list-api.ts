import type * as z from 'zod/mini';
import { type Branch, BranchList, IndexProgress, KeptState, RestoreAnswer } from '../../../src/protocol/api/archive.ts';
import { PanelAnswer } from '../../../src/protocol/api/panel.ts';
import { HitList } from '../../../src/protocol/api/search.ts';
import type { MetaBody } from '../../../src/protocol/command.ts';
import { type Project, ProjectList, SessionList, TagList } from '../../../src/protocol/http.ts';
import { Session } from '../../../src/protocol/session.ts';

type Call = (method: string, path: string, body?: unknown, signal?: AbortSignal) => Promise<unknown>;

/** Filters as in an address; a missing one matches anything. */
export type QueryParams = Readonly<Record<string, string>>;
export type SessionPageOf = z.infer<typeof SessionList>;
export type Meta = z.infer<typeof MetaBody>;
export type TagCount = z.infer<typeof TagList>['tags'][number];

/** Requests over all sessions: list, projects, search and import. Throws the server's message if it refuses. */
export interface SessionListApi {
  sessions(query: QueryParams): Promise<SessionPageOf>;
  projects(agent?: string): Promise<readonly Project[]>;
  /** Recent activity of live and recent sessions. */
  panel(): Promise<PanelAnswer>;
  tags(): Promise<readonly TagCount[]>;
  search(query: QueryParams, signal: AbortSignal): Promise<HitList>;
  branches(sessionId: string): Promise<readonly Branch[]>;
  describe(sessionId: string, meta: Meta): Promise<Session>;
  restore(sessionId: string): Promise<RestoreAnswer>;
  index(): Promise<IndexProgress>;
  rebuildIndex(): Promise<void>;
  kept(): Promise<KeptState>;
  setKept(on: boolean): Promise<KeptState>;
}

export function sessionListApi(call: Call): SessionListApi {
  const of = (sessionId: string) => `api/sessions/${encodeURIComponent(sessionId)}`;
  return {
    sessions: async (query) => SessionList.parse(await call('GET', `api/sessions?${new URLSearchParams(query)}`)),
    projects: async (agent) =>
      ProjectList.parse(await call('GET', agent === undefined ? 'api/projects' : `api/projects?agent=${encodeURIComponent(agent)}`)).projects,
    panel: async () => PanelAnswer.parse(await call('GET', 'api/panel')),
    tags: async () => TagList.parse(await call('GET', 'api/tags')).tags,
    search: async (query, signal) => HitList.parse(await call('GET', `api/search?${new URLSearchParams(query)}`, undefined, signal)),
    branches: async (id) => BranchList.parse(await call('GET', `${of(id)}/branches`)).branches,
    describe: async (id, meta) => Session.parse(await call('PATCH', of(id), meta)),
    restore: async (id) => RestoreAnswer.parse(await call('POST', `${of(id)}/restore`, {})),
    index: async () => IndexProgress.parse(await call('GET', 'api/index')),
    rebuildIndex: async () => void (await call('POST', 'api/index/rebuild', {})),
    kept: async () => KeptState.parse(await call('GET', 'api/kept')),
    setKept: async (on) => KeptState.parse(await call('PUT', 'api/kept', { on })),
  };
}

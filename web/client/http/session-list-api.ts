import type * as z from 'zod/mini';
import { type Branch, BranchList, IndexProgress, KeptState, RestoreAnswer } from '../../../src/protocol/api/archive.ts';
import { PanelAnswer } from '../../../src/protocol/api/panel.ts';
import { HitList } from '../../../src/protocol/api/search.ts';
import type { MetaBody } from '../../../src/protocol/command.ts';
import { type Project, ProjectList, SessionList, TagList } from '../../../src/protocol/http.ts';
import { Session } from '../../../src/protocol/session.ts';

type Call = (method: string, path: string, body?: unknown, signal?: AbortSignal) => Promise<unknown>;

/** Conditions as an address carries them; what is not said is any. */
export type Question = Readonly<Record<string, string>>;
export type SessionPageOf = z.infer<typeof SessionList>;
export type Meta = z.infer<typeof MetaBody>;
export type TagCount = z.infer<typeof TagList>['tags'][number];

/** Everything that is over all sessions: the list, projects, search, and the records they are read from. Throws what the server said when it refuses. */
export interface LibraryApi {
  sessions(question: Question): Promise<SessionPageOf>;
  projects(agent?: string): Promise<readonly Project[]>;
  /** What live and recent sessions did lately. */
  panel(): Promise<PanelAnswer>;
  tags(): Promise<readonly TagCount[]>;
  search(question: Question, signal: AbortSignal): Promise<HitList>;
  branches(sessionId: string): Promise<readonly Branch[]>;
  describe(sessionId: string, meta: Meta): Promise<Session>;
  restore(sessionId: string): Promise<RestoreAnswer>;
  index(): Promise<IndexProgress>;
  rebuildIndex(): Promise<void>;
  kept(): Promise<KeptState>;
  setKept(on: boolean): Promise<KeptState>;
}

export function libraryApi(call: Call): LibraryApi {
  const of = (sessionId: string) => `api/sessions/${encodeURIComponent(sessionId)}`;
  return {
    sessions: async (question) => SessionList.parse(await call('GET', `api/sessions?${new URLSearchParams(question)}`)),
    projects: async (agent) =>
      ProjectList.parse(await call('GET', agent === undefined ? 'api/projects' : `api/projects?agent=${encodeURIComponent(agent)}`)).projects,
    panel: async () => PanelAnswer.parse(await call('GET', 'api/panel')),
    tags: async () => TagList.parse(await call('GET', 'api/tags')).tags,
    search: async (question, signal) => HitList.parse(await call('GET', `api/search?${new URLSearchParams(question)}`, undefined, signal)),
    branches: async (id) => BranchList.parse(await call('GET', `${of(id)}/branches`)).branches,
    describe: async (id, meta) => Session.parse(await call('PATCH', of(id), meta)),
    restore: async (id) => RestoreAnswer.parse(await call('POST', `${of(id)}/restore`, {})),
    index: async () => IndexProgress.parse(await call('GET', 'api/index')),
    rebuildIndex: async () => void (await call('POST', 'api/index/rebuild', {})),
    kept: async () => KeptState.parse(await call('GET', 'api/kept')),
    setKept: async (on) => KeptState.parse(await call('PUT', 'api/kept', { on })),
  };
}

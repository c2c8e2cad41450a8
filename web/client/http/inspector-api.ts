import { SessionChanges, type TreeBase, WorkingTree } from '../../../src/protocol/api/changes.ts';
import { FileAnswer } from '../../../src/protocol/api/folder.ts';
import { SessionAt } from '../../../src/protocol/api/moment.ts';
import { RawPage } from '../../../src/protocol/api/raw.ts';
import { type Run, RunList } from '../../../src/protocol/api/runs.ts';
import { SessionTimeline } from '../../../src/protocol/api/timeline.ts';
import { caller } from './api.ts';

export type RawParams = Readonly<Partial<Record<'run' | 'side' | 'before' | 'after', string>>>;

/** Changes, files, timeline and raw lines of one session. Throws the server's message if it refuses. */
export interface InspectorApi {
  changes(path?: string): Promise<SessionChanges>;
  tree(base: TreeBase, path?: string): Promise<WorkingTree>;
  look(path: string): Promise<FileAnswer>;
  /** The URL of the image at a path. */
  imageAddress(path: string): string;
  timeline(): Promise<SessionTimeline>;
  /** The session right after an event. */
  moment(seq: number): Promise<SessionAt>;
  raw(query: RawParams): Promise<RawPage>;
  /** The runs of the agent's process, oldest first. */
  runs(): Promise<readonly Run[]>;
}

export function createInspectorApi(base: string, sessionId: string): InspectorApi {
  const call = caller(base);
  const at = (side: string, query: Readonly<Record<string, string>> = {}): string => {
    const params = new URLSearchParams(query).toString();
    return `api/sessions/${encodeURIComponent(sessionId)}/${side}${params === '' ? '' : `?${params}`}`;
  };
  return {
    changes: async (path) => SessionChanges.parse(await call('GET', at('changes', path === undefined ? {} : { path }))),
    tree: async (against, path) => WorkingTree.parse(await call('GET', at('tree', { base: against, ...(path !== undefined && { path }) }))),
    look: async (path) => FileAnswer.parse(await call('GET', at('files', { path }))),
    imageAddress: (path) => at('files/image', { path }),
    timeline: async () => SessionTimeline.parse(await call('GET', at('timeline'))),
    moment: async (seq) => SessionAt.parse(await call('GET', at(`at/${seq}`))),
    runs: async () => RunList.parse(await call('GET', at('runs'))).runs,
    raw: async (query) => RawPage.parse(await call('GET', at('raw', query))),
  };
}

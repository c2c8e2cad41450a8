import {
  MergeAnswer,
  PreviewAnswer,
  type ProjectScripts,
  Worktree,
  WorktreeList,
  WorktreeLosses,
  type WorktreePreview,
} from '../../../src/protocol/api/worktree.ts';
import { caller } from './api.ts';

export type WorktreeVerb = 'archive' | 'restore' | 'setup' | 'run';

/** Throws the server's message if it refuses. */
export interface WorktreeApi {
  list(): Promise<readonly Worktree[]>;
  /** Undefined where there can be no worktree. */
  preview(cwd: string, base: string | undefined, signal: AbortSignal): Promise<WorktreePreview | undefined>;
  act(id: string, verb: WorktreeVerb): Promise<Worktree>;
  merge(id: string, into: string | undefined, dryRun: boolean, commandId: string): Promise<MergeAnswer>;
  losses(id: string): Promise<WorktreeLosses>;
  remove(id: string, force: boolean): Promise<Worktree>;
  /** The owner's own scripts of a repository; none of them: those in the repository count again. */
  setScripts(repo: string, scripts: ProjectScripts): Promise<void>;
}

export function createWorktreeApi(base: string): WorktreeApi {
  const call = caller(base);
  const path = (id: string): string => `api/worktrees/${encodeURIComponent(id)}`;
  return {
    list: async () => WorktreeList.parse(await call('GET', 'api/worktrees')).worktrees,
    preview: async (cwd, wished, signal) => {
      const query = new URLSearchParams({ cwd, ...(wished !== undefined && { base: wished }) });
      const answer = PreviewAnswer.parse(await call('GET', `api/worktrees/preview?${query}`, undefined, signal));
      return 'problem' in answer ? undefined : answer;
    },
    act: async (id, verb) => Worktree.parse(await call('POST', `${path(id)}/${verb}`, {})),
    merge: async (id, into, dryRun, commandId) =>
      MergeAnswer.parse(await call('POST', `${path(id)}/merge`, { ...(into !== undefined && { into }), dryRun, commandId })),
    losses: async (id) => WorktreeLosses.parse(await call('DELETE', path(id), { dryRun: true })),
    remove: async (id, force) => Worktree.parse(await call('DELETE', path(id), { force })),
    setScripts: async (repo, scripts) => void (await call('PUT', 'api/worktrees/scripts', { repo, ...scripts })),
  };
}

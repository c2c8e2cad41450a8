import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Worktree } from '../../../src/protocol/api/worktree.ts';
import { ApiError } from '../../client/http/api.ts';
import type { WorktreeApi } from '../../client/http/worktree-api.ts';

export interface WorktreesState {
  /** Undefined until loaded. */
  readonly list: readonly Worktree[] | undefined;
  readonly problem: string | undefined;
}

export interface Worktrees {
  readonly store: StoreApi<WorktreesState>;
  readonly api: WorktreeApi;
  /** Only the result of the last call counts. */
  load(): Promise<void>;
}

export function openWorktrees(api: WorktreeApi): Worktrees {
  const store = createStore<WorktreesState>(() => ({ list: undefined, problem: undefined }));
  let calls = 0;
  const load = async (): Promise<void> => {
    const number = ++calls;
    const answer = await api.list().then(
      (list) => ({ list, problem: undefined }),
      (error: unknown) => ({ problem: messageOf(error) }),
    );
    if (number === calls) store.setState(answer);
  };
  return { store, api, load };
}

export const messageOf = (error: unknown): string => (error instanceof ApiError ? error.message : 'The server sent an unexpected answer. Reload the page.');

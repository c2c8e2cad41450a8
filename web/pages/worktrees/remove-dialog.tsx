import { useEffect, useState } from 'react';
import type { Worktree, WorktreeLosses } from '../../../src/protocol/api/worktree.ts';
import { Dialog } from '../../base/ui/dialog.tsx';
import type { WorktreeApi } from '../../client/http/worktree-api.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { messageOf } from './worktrees-store.ts';

interface RemoveDialogProps {
  readonly worktree: Worktree;
  readonly api: WorktreeApi;
  readonly onClose: () => void;
}

/** Shows what exists only in the worktree before anything is removed. */
export function RemoveDialog({ worktree, api, onClose }: RemoveDialogProps) {
  const id = worktree.id ?? '';
  const [losses, setLosses] = useState<WorktreeLosses>();
  const [problem, setProblem] = useState('');
  const isOwner = useApp((state) => state.you?.role === 'owner');
  useEffect(() => {
    let isOld = false;
    api.losses(id).then(
      (found) => isOld || setLosses(found),
      (error: unknown) => isOld || setProblem(messageOf(error)),
    );
    return () => {
      isOld = true;
    };
  }, [api, id]);
  const remove = (force: boolean) => api.remove(id, force).then(onClose, (error: unknown) => setProblem(messageOf(error)));
  const lists = losses === undefined ? [] : listsOf(losses);
  const isRunning = (losses?.running.length ?? 0) > 0;
  return (
    <Dialog title={`Remove the worktree ${worktree.branch}`} onClose={onClose}>
      <div className="new-form">
        {problem !== '' && (
          <p className="form-problem" role="alert">
            {problem}
          </p>
        )}
        {losses === undefined && problem === '' && <p className="quiet">Looking for what exists only here…</p>}
        {losses !== undefined && lists.length === 0 && <p>Nothing exists only here. The folder is removed; the branch stays.</p>}
        {lists.map(([title, names]) => (
          <div key={title}>
            <p>{title}</p>
            <ul className="loss-list mono">
              {names.map((name) => (
                <li key={name}>{name}</li>
              ))}
            </ul>
          </div>
        ))}
        {losses?.more && <p className="quiet">…and more.</p>}
        {isRunning && <p>Stop them first.</p>}
        {lists.length > 0 && !isRunning && (
          <p className="quiet">
            {isOwner ? 'Everything is saved before it is removed, and Restore brings it back. The branch stays.' : 'Only an owner can remove it with these.'}
          </p>
        )}
        <footer className="dialog-foot">
          {lists.length === 0 ? (
            <button type="button" className="button primary" data-first disabled={losses === undefined} onClick={() => void remove(false)}>
              Remove
            </button>
          ) : (
            <button type="button" className="button" disabled={!isOwner || isRunning} onClick={() => void remove(true)}>
              Save everything and remove
            </button>
          )}
        </footer>
      </div>
    </Dialog>
  );
}

function listsOf({ uncommitted, untracked, ignored, commits, running }: WorktreeLosses): readonly (readonly [string, readonly string[]])[] {
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['Running agents', running.map(({ title }) => title)],
    ['Uncommitted changes', uncommitted],
    ['Untracked files', untracked],
    ['Ignored files', ignored],
    ['Commits that no other branch has', commits.map(({ commit, subject }) => `${commit.slice(0, 8)} ${subject}`)],
  ];
  return lists.filter(([, names]) => names.length > 0);
}

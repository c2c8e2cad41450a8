import { useEffect, useState } from 'react';
import type { MergeAnswer, Worktree } from '../../../src/protocol/api/worktree.ts';
import { Dialog } from '../../base/ui/dialog.tsx';
import type { WorktreeApi } from '../../client/http/worktree-api.ts';
import { newId } from '../../client/new-id.ts';
import { messageOf } from './worktrees-store.ts';

interface MergeDialogProps {
  readonly worktree: Worktree;
  readonly api: WorktreeApi;
  readonly onClose: () => void;
}

/** Shows the result of a merge before it happens: the files, or the conflicts. */
export function MergeDialog({ worktree, api, onClose }: MergeDialogProps) {
  const { branch, base = '' } = worktree;
  const id = worktree.id ?? '';
  const [into, setInto] = useState(base);
  const [trial, setTrial] = useState<MergeAnswer>();
  const [problem, setProblem] = useState('');
  const [commandId] = useState(newId);
  useEffect(() => {
    let isOld = false;
    setTrial(undefined);
    setProblem('');
    api.merge(id, into, true, commandId).then(
      (answer) => isOld || setTrial(answer),
      (error: unknown) => isOld || setProblem(messageOf(error)),
    );
    return () => {
      isOld = true;
    };
  }, [api, id, into, commandId]);
  const merge = () => api.merge(id, into, false, commandId).then(onClose, (error: unknown) => setProblem(messageOf(error)));
  return (
    <Dialog title={`Merge ${branch}`} onClose={onClose}>
      <div className="new-form">
        <label className="field">
          <span>Into</span>
          <input className="mono" data-first value={into} spellCheck={false} autoCapitalize="off" onChange={(event) => setInto(event.target.value)} />
        </label>
        {problem !== '' && (
          <p className="form-problem" role="alert">
            {problem}
          </p>
        )}
        {trial === undefined && problem === '' && <p className="quiet">Checking for conflicts…</p>}
        {trial !== undefined && <Trial trial={trial} />}
        <footer className="dialog-foot">
          <button type="button" className="button primary" disabled={trial === undefined || trial.upToDate === true} onClick={() => void merge()}>
            Merge into {into}
          </button>
        </footer>
      </div>
    </Dialog>
  );
}

function Trial({ trial: { into, files, upToDate } }: { readonly trial: MergeAnswer }) {
  if (upToDate) return <p>{into} already has every commit of this branch.</p>;
  return (
    <div>
      <p>No conflicts. {files.length === 1 ? '1 file changes' : `${files.length} files change`}:</p>
      <ul className="loss-list mono">
        {files.slice(0, 100).map((file) => (
          <li key={file}>{file}</li>
        ))}
      </ul>
    </div>
  );
}

import { useEffect, useState } from 'react';
import type { ProjectScripts, WorktreePreview } from '../../../src/protocol/api/worktree.ts';
import { Dialog } from '../../base/ui/dialog.tsx';
import type { WorktreeApi } from '../../client/http/worktree-api.ts';
import { messageOf } from './worktrees-store.ts';

const FIELDS = [
  ['setup', 'Setup, when a worktree is made'],
  ['run', 'Run, the dev server'],
  ['archive', 'Archive, before a worktree is removed'],
] as const;

interface ScriptsDialogProps {
  readonly repo: string;
  readonly api: WorktreeApi;
  readonly onClose: () => void;
}

/** An owner's own scripts of a repository. They win over those in `.signalbox.json` and need no question. */
export function ScriptsDialog({ repo, api, onClose }: ScriptsDialogProps) {
  const [now, setNow] = useState<WorktreePreview>();
  const [scripts, setScripts] = useState<ProjectScripts>({});
  const [problem, setProblem] = useState('');
  const fail = (error: unknown) => setProblem(messageOf(error));
  useEffect(() => {
    const late = new AbortController();
    const show = (preview: WorktreePreview | undefined) => {
      setNow(preview);
      setScripts(preview?.scripts ?? {});
      if (preview === undefined) setProblem('There can be no worktree in this repository now.');
    };
    api.preview(repo, undefined, late.signal).then(show, (error: unknown) => late.signal.aborted || setProblem(messageOf(error)));
    return () => late.abort();
  }, [api, repo]);
  const save = (wanted: ProjectScripts) => void api.setScripts(repo, wanted).then(onClose, fail);
  const written = Object.fromEntries(Object.entries(scripts).filter(([, text]) => text !== undefined && text.trim() !== ''));
  return (
    <Dialog title="Scripts of this repository" onClose={onClose}>
      <form
        className="new-form"
        onSubmit={(event) => {
          event.preventDefault();
          save(written);
        }}
      >
        <p className="quiet">{sourceText(now)}</p>
        {FIELDS.map(([name, label]) => (
          <label key={name} className="field">
            <span>{label}</span>
            <textarea
              className="mono"
              rows={2}
              data-first={name === 'setup' ? true : undefined}
              value={scripts[name] ?? ''}
              spellCheck={false}
              disabled={now === undefined}
              onChange={(event) => setScripts({ ...scripts, [name]: event.target.value })}
            />
          </label>
        ))}
        {problem !== '' && (
          <p className="form-problem" role="alert">
            {problem}
          </p>
        )}
        <footer className="dialog-foot">
          {now?.source === 'owner' && (
            <button type="button" className="button" onClick={() => save({})}>
              Use the repository’s again
            </button>
          )}
          <button type="submit" className="button primary" disabled={now === undefined || Object.keys(written).length === 0}>
            Save
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function sourceText(now: WorktreePreview | undefined): string {
  if (now === undefined) return 'Loading…';
  if (now.source === 'owner') return 'These are yours. They win over .signalbox.json and run without a question.';
  return now.source === 'repository'
    ? 'These are from .signalbox.json. What you save wins over them and runs without a question.'
    : 'There are none yet. What you save runs without a question, in every worktree of this repository.';
}

import { useEffect, useState } from 'react';
import type { WorktreePreview } from '../../../src/protocol/api/worktree.ts';
import { sizeText } from '../../base/text/format.ts';
import { createWorktreeApi } from '../../client/http/worktree-api.ts';
import type { NewSessionForm } from './new-session-form.ts';

interface WorktreeChoiceProps {
  readonly form: NewSessionForm;
  readonly onChange: (fields: Partial<NewSessionForm>) => void;
}

/** A worktree of its own for the session: branch, base, and what comes with it. Hidden where there is no repository. */
export function WorktreeChoice({ form, onChange }: WorktreeChoiceProps) {
  const preview = usePreview(form.cwd ?? '', form.worktreeBase);
  const isOn = form.worktree === true;
  if (preview === undefined && !isOn) return null;
  const others = preview?.others ?? [];
  return (
    <fieldset className="worktree-choice">
      <label className="switch-line">
        <input type="checkbox" checked={isOn} onChange={(event) => onChange({ worktree: event.target.checked })} />
        <span>Work in its own worktree</span>
      </label>
      {!isOn && others.length > 0 && (
        <p className="worktree-warning">
          {others[0]?.title} {others.length > 1 && `and ${others.length - 1} more `}already {others.length > 1 ? 'work' : 'works'} in this folder. In one folder
          they change each other’s files.{' '}
          <button type="button" className="text-button" onClick={() => onChange({ worktree: true })}>
            Use a worktree
          </button>
        </p>
      )}
      {isOn && preview === undefined && <p className="quiet">Checking the folder…</p>}
      {isOn && preview !== undefined && <WorktreeFields preview={preview} form={form} onChange={onChange} />}
    </fieldset>
  );
}

function WorktreeFields({ preview, form, onChange }: WorktreeChoiceProps & { readonly preview: WorktreePreview }) {
  const bases = [...new Set([preview.base, ...(form.worktreeBase === undefined ? [] : [form.worktreeBase]), ...preview.branches])];
  return (
    <>
      <div className="option-grid">
        <label className="field">
          <span>Branch name (optional)</span>
          <input
            className="mono"
            spellCheck={false}
            autoCapitalize="off"
            placeholder="made from the first message"
            value={form.worktreeName ?? ''}
            onChange={(event) => onChange({ worktreeName: event.target.value })}
          />
        </label>
        <label className="field">
          <span>From</span>
          <select value={form.worktreeBase ?? preview.base} onChange={(event) => onChange({ worktreeBase: event.target.value })}>
            {bases.map((base) => (
              <option key={base}>{base}</option>
            ))}
          </select>
        </label>
      </div>
      <p className="worktree-facts">
        {copiesText(preview)} {scriptText(preview)}
      </p>
    </>
  );
}

function copiesText({ copies: { files, bytes, names, skipped } }: WorktreePreview): string {
  const more = names.length > 3 ? ` and ${files - 3} more` : '';
  const copied = files === 0 ? 'No ignored files are copied.' : `Copies ${names.slice(0, 3).join(', ')}${more} (${sizeText(bytes)}).`;
  return skipped.length === 0 ? copied : `${copied} Skips ${skipped.map(({ path, why }) => `${path} (${why})`).join(', ')}.`;
}

function scriptText({ scripts, source, trusted }: WorktreePreview): string {
  if (scripts.setup === undefined) return 'No setup script.';
  const from = source === 'owner' ? 'from your settings' : trusted ? 'trusted' : 'you are asked first';
  return `Setup script (${from}): ${scripts.setup}`;
}

const TYPED_MS = 300;

/** What a worktree of this folder would be; undefined while unknown, and where there can be none. */
function usePreview(cwd: string, base: string | undefined): WorktreePreview | undefined {
  const [preview, setPreview] = useState<WorktreePreview>();
  useEffect(() => {
    const late = new AbortController();
    const api = createWorktreeApi(document.baseURI);
    const load = async () => setPreview(cwd === '' ? undefined : await api.preview(cwd, base, late.signal).catch(() => undefined));
    const timer = setTimeout(() => void load(), TYPED_MS);
    return () => {
      clearTimeout(timer);
      late.abort();
    };
  }, [cwd, base]);
  return preview;
}

import { ChevronDown, ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { TurnChanges, TurnDiff } from '../../../../../src/protocol/api/checkpoints.ts';
import { countText } from '../../../../base/text/format.ts';
import { messageOf } from '../../../../base/text/message-of.ts';
import { VisibleLine } from '../../../../base/ui/visible-text.tsx';
import type { CheckpointApi } from '../../../../client/http/checkpoint-api.ts';
import { DiffView } from '../../../../parts/diff/diff-view.tsx';
import { parsePatch } from '../../../../parts/diff/patch.ts';

interface TurnFilesProps {
  readonly turn: TurnChanges;
  readonly api: CheckpointApi;
  readonly onRevert: (path: string) => void;
}

/** The files of a turn; each opens to what the turn did to it. */
export function TurnFiles({ turn, api, onRevert }: TurnFilesProps) {
  const [open, setOpen] = useState<string>();
  return (
    <ul className="turn-files" aria-label="Files changed in this turn">
      {turn.files.map(({ path, added, deleted }) => (
        <li key={path}>
          <div className="turn-file">
            <button type="button" className="review-fold" aria-expanded={open === path} onClick={() => setOpen(open === path ? undefined : path)}>
              {open === path ? <ChevronDown size={14} aria-hidden="true" /> : <ChevronRight size={14} aria-hidden="true" />}
              <span className="review-path">
                <VisibleLine text={path} />
              </span>
            </button>
            <span className="diff-count">
              <span className="added">+{added}</span> <span className="deleted">−{deleted}</span>
            </span>
            <button type="button" className="button plain turn-revert" aria-label={`Revert ${path}`} onClick={() => onRevert(path)}>
              Revert…
            </button>
          </div>
          {open === path && <FileDiff api={api} turn={turn.turnId} path={path} />}
        </li>
      ))}
      {turn.filesMore !== undefined && <li className="side-words">and {countText(turn.filesMore, 'more file')}</li>}
    </ul>
  );
}

function FileDiff({ api, turn, path }: { readonly api: CheckpointApi; readonly turn: string; readonly path: string }) {
  const [diff, setDiff] = useState<TurnDiff>();
  useEffect(() => {
    api.diff(turn, path).then(setDiff, (error: unknown) => setDiff({ note: messageOf(error) }));
  }, [api, turn, path]);
  if (diff === undefined) return <p className="review-note">Loading…</p>;
  if (diff.patch === undefined) return <p className="review-note">{diff.note}</p>;
  return <DiffView lines={parsePatch(diff.patch)} />;
}

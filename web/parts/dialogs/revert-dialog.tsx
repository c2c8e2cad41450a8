import { useEffect, useMemo, useState } from 'react';
import type { RevertDone, RevertPreview } from '../../../src/protocol/api/checkpoints.ts';
import { clockText, countText } from '../../base/text/format.ts';
import { messageOf } from '../../base/text/message-of.ts';
import { Dialog } from '../../base/ui/dialog.tsx';
import { ApiError } from '../../client/http/api.ts';
import { createCheckpointApi, type RevertWish } from '../../client/http/checkpoint-api.ts';
import { newId } from '../../client/new-id.ts';
import { RevertFiles } from './revert-files.tsx';
import RewindDialog from './rewind-dialog.tsx';

interface RevertDialogProps {
  readonly sessionId: string;
  /** The event to whose checkpoint the files go back. */
  readonly to: number;
  readonly paths?: readonly string[];
  /** The agent can restore its own edits: used where no checkpoint exists. */
  readonly canRewind?: boolean;
  readonly onClose: () => void;
}

/** Shows what would be restored, deleted and left alone; restores it once the person confirms; and can undo that. */
export default function RevertDialog({ sessionId, to, paths, canRewind = false, onClose }: RevertDialogProps) {
  const api = useMemo(() => createCheckpointApi(document.baseURI, sessionId), [sessionId]);
  const [preview, setPreview] = useState<RevertPreview>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [forced, setForced] = useState<ReadonlySet<string>>(new Set());
  const [done, setDone] = useState<RevertDone>();
  const [problem, setProblem] = useState<unknown>();
  const [isWorking, setWorking] = useState(false);
  const look = async () => {
    setProblem(undefined);
    try {
      const found = await api.preview({ to, ...(paths !== undefined && { paths }) });
      setPreview(found);
      setChosen(new Set(found.files.flatMap((file) => (file.selected && file.refused === undefined ? [file.path] : []))));
    } catch (error) {
      setProblem(error);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked up once, and again only on request
  useEffect(() => void look(), [api]);
  const perform = async (wish: RevertWish) => {
    setWorking(true);
    setProblem(undefined);
    try {
      setDone(await api.revert(wish, newId()));
    } catch (error) {
      setProblem(error);
    }
    setWorking(false);
  };
  if (canRewind && problem instanceof ApiError && problem.status === 404) return <RewindDialog sessionId={sessionId} seq={to} onClose={onClose} />;
  const restored = done?.files.filter(({ result }) => result !== 'refused').length ?? 0;
  return (
    <Dialog title="Restore files" onClose={onClose}>
      {preview === undefined && problem === undefined && <p className="quiet">Comparing files…</p>}
      {done === undefined && preview !== undefined && (
        <>
          <Target preview={preview} />
          <RevertFiles preview={preview} chosen={chosen} forced={forced} onChoose={setChosen} onForce={setForced} />
        </>
      )}
      {done !== undefined && <Outcome done={done} />}
      {problem !== undefined && (
        <p className="form-problem" role="alert">
          {messageOf(problem)}
        </p>
      )}
      <footer className="dialog-foot revert-foot">
        {done === undefined && problem !== undefined && (
          <button type="button" className="button" onClick={() => void look()}>
            Try again
          </button>
        )}
        {done?.undo !== undefined && restored > 0 && (
          <button type="button" className="button" disabled={isWorking} onClick={() => void perform({ to: done.undo?.seq ?? 0 })}>
            {isWorking ? 'Undoing…' : 'Undo'}
          </button>
        )}
        {done === undefined ? (
          <button
            type="button"
            className="button primary"
            data-first
            disabled={isWorking || preview === undefined || chosen.size === 0}
            onClick={() => preview !== undefined && void perform(wishOf(preview, chosen, forced))}
          >
            {isWorking ? 'Restoring…' : `Restore ${countText(chosen.size, 'file')}`}
          </button>
        ) : (
          <button type="button" className="button primary" onClick={onClose}>
            Done
          </button>
        )}
      </footer>
    </Dialog>
  );
}

/** If the person changed nothing about the choice, the server chooses again: the list may be longer than what is shown. */
function wishOf(preview: RevertPreview, chosen: ReadonlySet<string>, forced: ReadonlySet<string>): RevertWish {
  const preselected = preview.files.filter((file) => file.selected && file.refused === undefined);
  const isUntouched = forced.size === 0 && preselected.length === chosen.size && preselected.every(({ path }) => chosen.has(path));
  if (isUntouched && preview.filesMore !== undefined) return { to: preview.to };
  const force = [...forced].filter((path) => chosen.has(path));
  return { to: preview.to, paths: [...chosen], ...(force.length > 0 && { force }) };
}

const WHEN = { before: 'before a turn', after: 'after a turn', revert: 'before a revert', discard: 'before a discard', remove: 'before a removal' } as const;

function Target({ preview }: { readonly preview: RevertPreview }) {
  return (
    <div className="revert-target">
      <p>
        Files go back to {clockText(preview.at)}, {WHEN[preview.when]}. The conversation stays as it is, and you can undo this.
      </p>
      {preview.late && (
        <p className="revert-caution">This checkpoint was finished after a tool had started, so it may include part of its work. Choose the files yourself.</p>
      )}
      {preview.shared && <p className="revert-caution">Another session worked in this folder at the same time. Choose the files yourself.</p>}
    </div>
  );
}

function Outcome({ done }: { readonly done: RevertDone }) {
  const refused = done.files.filter(({ result }) => result === 'refused');
  const restored = done.files.filter(({ result }) => result === 'restored').length;
  const deleted = done.files.filter(({ result }) => result === 'deleted').length;
  return (
    <div className="rewind-list" role="status">
      <p>
        {countText(restored, 'file')} restored{deleted > 0 && `, ${countText(deleted, 'file')} deleted`}.
      </p>
      {refused.length > 0 && (
        <>
          <p>Left alone:</p>
          <ul>
            {refused.map(({ path, why }) => (
              <li key={path}>
                <span className="mono">{path}</span> <span className="quiet">{why}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

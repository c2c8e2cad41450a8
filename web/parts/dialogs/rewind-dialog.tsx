import { useEffect, useState } from 'react';
import { countText } from '../../base/text/format.ts';
import { messageOf } from '../../base/text/message-of.ts';
import { Dialog } from '../../base/ui/dialog.tsx';
import type { Rewind } from '../../client/http/session-api.ts';
import { useCockpit } from '../../store/cockpit-context.ts';

interface RewindDialogProps {
  readonly sessionId: string;
  readonly seq: number;
  readonly onClose: () => void;
}

/** Shows which files would change, and restores them once the person confirms. */
export default function RewindDialog({ sessionId, seq, onClose }: RewindDialogProps) {
  const cockpit = useCockpit();
  const [found, setFound] = useState<Rewind>();
  const [problem, setProblem] = useState('');
  const [isWorking, setWorking] = useState(false);
  useEffect(() => {
    cockpit.rewind(sessionId, seq, true).then(setFound, (error: unknown) => setProblem(messageOf(error)));
  }, [cockpit, sessionId, seq]);
  const restore = async () => {
    setWorking(true);
    try {
      const done = await cockpit.rewind(sessionId, seq, false);
      if (done.canRewind) onClose();
      else setProblem(done.problem ?? 'The agent couldn’t restore the files. Nothing was changed.');
    } catch (error) {
      setProblem(messageOf(error));
    }
    setWorking(false);
  };
  return (
    <Dialog title="Restore files" onClose={onClose}>
      {found === undefined && problem === '' && <p className="quiet">Asking the agent which files would change…</p>}
      {found !== undefined && <Found found={found} />}
      {problem !== '' && (
        <p className="form-problem" role="alert">
          {problem}
        </p>
      )}
      <footer className="dialog-foot">
        <button
          type="button"
          className="button primary"
          disabled={isWorking || found?.canRewind !== true || found.files.length === 0}
          onClick={() => void restore()}
        >
          {isWorking ? 'Restoring…' : 'Restore'}
        </button>
      </footer>
    </Dialog>
  );
}

function Found({ found }: { readonly found: Rewind }) {
  if (!found.canRewind) return <p>{found.problem ?? 'The agent has no file backup for this message.'}</p>;
  if (found.files.length === 0) return <p>No files have changed since then.</p>;
  return (
    <div className="rewind-list">
      <p>
        {countText(found.files.length, 'file')} will be restored as of this message
        {found.insertions !== undefined && found.deletions !== undefined && ` (+${found.insertions} −${found.deletions} lines)`}. The conversation stays as it
        is.
      </p>
      <ul>
        {found.files.map((file) => (
          <li key={file} className="mono">
            {file}
          </li>
        ))}
      </ul>
    </div>
  );
}

import { useEffect, useState } from 'react';
import { Dialog } from '../../base/ui/dialog.tsx';
import { countText } from '../../base/words/words.ts';
import type { Rewind } from '../../client/http/session-api.ts';
import { useCockpit } from '../../store/cockpit-context.ts';
import { wordsOf } from '../../store/sessions/steering.ts';

interface RewindDialogProps {
  readonly sessionId: string;
  readonly seq: number;
  readonly onClose: () => void;
}

/** First which files would change, then, on a person's word, the change itself. */
export default function RewindDialog({ sessionId, seq, onClose }: RewindDialogProps) {
  const cockpit = useCockpit();
  const [found, setFound] = useState<Rewind>();
  const [problem, setProblem] = useState('');
  const [isWorking, setWorking] = useState(false);
  useEffect(() => {
    cockpit.rewind(sessionId, seq, true).then(setFound, (error: unknown) => setProblem(wordsOf(error)));
  }, [cockpit, sessionId, seq]);
  const putBack = async () => {
    setWorking(true);
    try {
      const done = await cockpit.rewind(sessionId, seq, false);
      if (done.canRewind) onClose();
      else setProblem(done.problem ?? 'The agent could not put the files back. Nothing was changed.');
    } catch (error) {
      setProblem(wordsOf(error));
    }
    setWorking(false);
  };
  return (
    <Dialog title="Put files back" onClose={onClose}>
      {found === undefined && problem === '' && <p className="quiet">Asking the agent which files that would change…</p>}
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
          onClick={() => void putBack()}
        >
          {isWorking ? 'Putting back…' : 'Put them back'}
        </button>
      </footer>
    </Dialog>
  );
}

function Found({ found }: { readonly found: Rewind }) {
  if (!found.canRewind) return <p>{found.problem ?? 'The agent has no record of the files at this message.'}</p>;
  if (found.files.length === 0) return <p>No file has changed since then.</p>;
  return (
    <div className="rewind-list">
      <p>
        {countText(found.files.length, 'file')} would be as before this message
        {found.insertions !== undefined && found.deletions !== undefined && ` (+${found.insertions} −${found.deletions} lines)`}. The conversation stays.
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

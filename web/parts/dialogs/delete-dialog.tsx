import { useNavigate } from '@tanstack/react-router';
import type { Session } from '../../../src/protocol/session.ts';
import { Dialog } from '../../base/ui/dialog.tsx';
import { useCockpit } from '../../store/cockpit-context.ts';

interface DeleteDialogProps {
  readonly session: Session;
  readonly onClose: () => void;
}

/** Says what goes and what stays before a session is deleted. */
export default function DeleteDialog({ session, onClose }: DeleteDialogProps) {
  const cockpit = useCockpit();
  const navigate = useNavigate();
  const remove = async () => {
    if ((await cockpit.remove(session.id)) === undefined) return;
    onClose();
    await navigate({ to: '/' });
  };
  return (
    <Dialog title={`Delete “${session.title}”?`} onClose={onClose}>
      <div className="delete-words">
        <p>
          <strong>Deleted:</strong> this session in Signalbox with its transcript, queued messages, tags and notes.
          {session.control === 'here' && ' Its agent is stopped.'}
        </p>
        <p>
          <strong>Kept:</strong> the files in <code>{session.cwd}</code> and the agent’s own record of the conversation, so it may appear again among past
          sessions. The audit log keeps who decided what.
        </p>
        <p className="quiet">Archive it instead to hide it from the list and keep everything.</p>
      </div>
      <footer className="dialog-foot">
        <button type="button" className="button plain" data-first onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="button danger" onClick={() => void remove()}>
          Delete
        </button>
      </footer>
    </Dialog>
  );
}

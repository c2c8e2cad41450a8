import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../../base/text/message-of.ts';
import { Dialog } from '../../base/ui/dialog.tsx';
import { useCockpit } from '../../store/cockpit-context.ts';

const SOURCES = [
  ['', 'Automatic', 'the agent’s compaction summary if there is one, otherwise ask the agent, otherwise an extract'],
  ['agent', 'Ask the agent', 'the agent writes a summary in a copy of this conversation'],
  ['extract', 'Extract', 'made from the messages right away, without the agent'],
] as const;

/** Starts a new session with a summary of this one. */
export default function HandoverDialog({ sessionId, onClose }: { readonly sessionId: string; readonly onClose: () => void }) {
  const cockpit = useCockpit();
  const navigate = useNavigate();
  const [how, setHow] = useState('');
  const [problem, setProblem] = useState('');
  const handOver = async () => {
    try {
      const session = await cockpit.handOver(sessionId, how === '' ? undefined : how);
      onClose();
      await navigate({ to: '/s/$sessionId', params: { sessionId: session.id } });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Dialog title="New session with summary" onClose={onClose}>
      <form className="new-form" action={handOver}>
        <p className="quiet">The new session starts with a summary of this one, labeled as a summary. This session doesn’t change.</p>
        <fieldset className="agent-choice">
          <legend>Summary</legend>
          {SOURCES.map(([value, title, words]) => (
            <label key={value} className="agent-card">
              <input type="radio" name="how" value={value} checked={how === value} onChange={() => setHow(value)} />
              <span className="agent-title">{title}</span>
              <span className="agent-state">{words}</span>
            </label>
          ))}
        </fieldset>
        {problem !== '' && (
          <p className="form-problem" role="alert">
            {problem}
          </p>
        )}
        <footer className="dialog-foot">
          <button type="submit" className="button primary">
            Start session
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

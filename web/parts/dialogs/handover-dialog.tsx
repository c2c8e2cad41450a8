import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Dialog } from '../../base/ui/dialog.tsx';
import { useCockpit } from '../../store/cockpit-context.ts';
import { wordsOf } from '../../store/sessions/steering.ts';

const WAYS = [
  ['', 'The best there is', 'its own compaction summary, else asked of the agent, else an extract'],
  ['agent', 'Ask the agent', 'it writes a summary in a copy of this conversation'],
  ['extract', 'An extract', 'made from the messages at once, without the agent'],
] as const;

/** A fresh session that is told what this one was about. */
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
      setProblem(wordsOf(error));
    }
  };
  return (
    <Dialog title="Hand over to a fresh session" onClose={onClose}>
      <form className="new-form" action={handOver}>
        <p className="quiet">The fresh conversation begins empty and is told a summary of this one, labelled as what it is. This session stays as it is.</p>
        <fieldset className="agent-choice">
          <legend>Where the summary comes from</legend>
          {WAYS.map(([value, title, words]) => (
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
            Hand over
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

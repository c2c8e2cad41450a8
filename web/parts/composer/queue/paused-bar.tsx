import { Pause } from 'lucide-react';
import { countText } from '../../../base/text/format.ts';
import { ConfirmButton } from '../../../base/ui/confirm-button.tsx';
import { useCockpit } from '../../../store/cockpit-context.ts';

interface PausedBarProps {
  readonly sessionId: string;
  readonly count: number;
  readonly onEdit: () => void;
}

/** Somebody interrupted the agent: what is queued waits, and a person decides what happens with it. */
export function PausedBar({ sessionId, count, onEdit }: PausedBarProps) {
  const cockpit = useCockpit();
  return (
    <section className="limit-bar paused-bar" aria-label="Queue paused">
      <Pause size={15} aria-hidden="true" />
      <span className="paused-text" role="status">
        Queue paused, {countText(count, 'message')} waiting
      </span>
      <button type="button" className="button primary" onClick={() => void cockpit.changeQueue(sessionId, 'resume')}>
        Resume
      </button>
      <button type="button" className="button plain" onClick={onEdit}>
        Edit
      </button>
      <ConfirmButton
        label="Clear"
        question={count === 1 ? 'Cancel this message?' : `Cancel all ${count} messages?`}
        onConfirm={() => void cockpit.changeQueue(sessionId, 'clear')}
      />
    </section>
  );
}

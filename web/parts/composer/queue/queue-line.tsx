import { countText } from '../../../base/words/words.ts';
import type { KeptFrame } from '../../../client/storage/outbox.ts';

interface QueueLineProps {
  readonly frame: Extract<KeptFrame, { type: 'input' }>;
  readonly state: string;
}

/** A message that the server has not yet shown us: it cannot be changed until it is known to be there. */
export const QueueLine = ({ frame, state }: QueueLineProps) => (
  <li className="queue-line">
    <span className="queue-next">{frame.mode === 'steer' ? 'Into this turn:' : 'Next:'}</span>
    <span className="queue-text">{frame.text}</span>
    {frame.images !== undefined && <span className="queue-state">{countText(frame.images.length, 'picture')}</span>}
    <span className="queue-state">{state}</span>
  </li>
);

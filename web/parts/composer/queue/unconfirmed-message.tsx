import { countText } from '../../../base/text/format.ts';
import type { OutboxFrame } from '../../../client/storage/outbox.ts';

interface UnconfirmedMessageProps {
  readonly frame: Extract<OutboxFrame, { type: 'input' }>;
  readonly state: string;
}

/** A message that the server has not confirmed yet; it can't be edited until then. */
export const UnconfirmedMessage = ({ frame, state }: UnconfirmedMessageProps) => (
  <li className="queue-line">
    <span className="queue-next">{frame.mode === 'steer' ? 'Now:' : 'Next:'}</span>
    <span className="queue-text">{frame.text}</span>
    {frame.images !== undefined && <span className="queue-state">{countText(frame.images.length, 'picture')}</span>}
    <span className="queue-state">{state}</span>
  </li>
);

import { ArrowDown, ArrowUp, SendHorizontal, X } from 'lucide-react';
import type { InputRecord } from '../../../../src/domain/transcript/item.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { sendWords } from './send-words.ts';

interface WaitingActionsProps {
  readonly sessionId: string;
  readonly input: InputRecord;
  readonly order: readonly string[];
  readonly onMove: (by: 'up' | 'down') => void;
}

export function WaitingActions({ sessionId, input, order, onMove }: WaitingActionsProps) {
  const cockpit = useCockpit();
  const canSteer = useApp((state) => sendWords(state, sessionId).canSteer);
  const at = order.indexOf(input.commandId);
  return (
    <span className="queue-actions">
      {canSteer && (
        <button
          type="button"
          className="icon-button"
          aria-label="Send now, into the running turn"
          title="Send now, into the running turn"
          onClick={() => void cockpit.steerWaiting(sessionId, input.commandId)}
        >
          <SendHorizontal size={14} aria-hidden="true" />
        </button>
      )}
      {at > 0 && (
        <button type="button" className="icon-button" aria-label="Move up" title="Move up (Alt ↑)" onClick={() => onMove('up')}>
          <ArrowUp size={14} aria-hidden="true" />
        </button>
      )}
      {at < order.length - 1 && (
        <button type="button" className="icon-button" aria-label="Move down" title="Move down (Alt ↓)" onClick={() => onMove('down')}>
          <ArrowDown size={14} aria-hidden="true" />
        </button>
      )}
      <button
        type="button"
        className="icon-button"
        aria-label="Cancel this message"
        title="Cancel this message"
        onClick={() => void cockpit.cancelWaiting(sessionId, input.commandId)}
      >
        <X size={14} aria-hidden="true" />
      </button>
    </span>
  );
}

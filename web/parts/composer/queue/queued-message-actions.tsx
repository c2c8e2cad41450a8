import { ArrowDown, ArrowUp, SendHorizontal, X } from 'lucide-react';
import type { InputRecord } from '../../../../src/domain/transcript/item.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { sendState } from './send-state.ts';

interface QueuedMessageActionsProps {
  readonly sessionId: string;
  readonly input: InputRecord;
  readonly order: readonly string[];
  readonly onMove: (by: 'up' | 'down') => void;
}

export function QueuedMessageActions({ sessionId, input, order, onMove }: QueuedMessageActionsProps) {
  const cockpit = useCockpit();
  const canSteer = useApp((state) => sendState(state, sessionId).canSteer);
  const at = order.indexOf(input.commandId);
  return (
    <span className="queue-actions">
      {canSteer && (
        <button
          type="button"
          className="icon-button"
          aria-label="Send now"
          title="Send now"
          onClick={() => void cockpit.steerQueued(sessionId, input.commandId)}
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
        aria-label="Remove from queue"
        title="Remove from queue"
        onClick={() => void cockpit.cancelQueued(sessionId, input.commandId)}
      >
        <X size={14} aria-hidden="true" />
      </button>
    </span>
  );
}

import { GripVertical } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, useState } from 'react';
import type { InputRecord } from '../../../../src/domain/transcript/item.ts';
import { useCockpit } from '../../../store/cockpit-context.ts';
import { QueueEditor } from './queue-editor.tsx';
import { neighbour } from './queue-order.ts';
import { WaitingActions } from './waiting-actions.tsx';
import { waitingText } from './waiting-text.ts';

interface WaitingLineProps {
  readonly sessionId: string;
  readonly input: InputRecord;
  /** From 1. */
  readonly place: number;
  readonly order: readonly string[];
}

const DRAGGED = 'application/x-signalbox-message';

/** A message that waits on the server: it can be changed, moved, taken back, or sent into the running turn. */
export function WaitingLine({ sessionId, input, place, order }: WaitingLineProps) {
  const cockpit = useCockpit();
  const [isEditing, setEditing] = useState(() => cockpit.unkeptOf(sessionId)?.commandId === input.commandId);
  const [isOver, setOver] = useState(false);
  const { commandId } = input;
  const move = (by: 'up' | 'down') => {
    const before = neighbour(order, commandId, by);
    if (before !== undefined) void cockpit.moveWaiting(sessionId, commandId, before);
  };
  const onKey = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    move(event.key === 'ArrowUp' ? 'up' : 'down');
  };
  const onDrop = (event: DragEvent) => {
    setOver(false);
    const dragged = event.dataTransfer.getData(DRAGGED);
    if (dragged === '' || dragged === commandId) return;
    event.preventDefault();
    // Dropped from above it goes behind this one, from below before it.
    const isFromAbove = order.indexOf(dragged) < order.indexOf(commandId);
    void cockpit.moveWaiting(sessionId, dragged, isFromAbove ? (order[order.indexOf(commandId) + 1] ?? null) : commandId);
  };
  const actions = <WaitingActions sessionId={sessionId} input={input} order={order} onMove={move} />;
  if (isEditing) return <QueueEditor sessionId={sessionId} input={input} actions={actions} onClose={() => setEditing(false)} />;
  return (
    <li
      className={isOver ? 'queue-line waiting over' : 'queue-line waiting'}
      draggable
      onDragStart={(event) => event.dataTransfer.setData(DRAGGED, commandId)}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(DRAGGED)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
    >
      <GripVertical className="queue-grip" size={14} aria-hidden="true" />
      <span className="queue-next">{place === 1 ? 'Next:' : `${place}.`}</span>
      <button type="button" className="queue-text" title="Click to change it; Alt and the arrows move it" onClick={() => setEditing(true)} onKeyDown={onKey}>
        {input.text ?? ''}
      </button>
      <span className="queue-state">{waitingText(input)}</span>
      {actions}
    </li>
  );
}

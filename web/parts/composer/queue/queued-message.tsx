import { GripVertical } from 'lucide-react';
import { type DragEvent, type KeyboardEvent, useEffect, useState } from 'react';
import type { InputRecord } from '../../../../src/domain/transcript/item.ts';
import { countText } from '../../../base/text/format.ts';
import { useCockpit } from '../../../store/cockpit-context.ts';
import { QueueEditor } from './queue-editor.tsx';
import { moveTarget } from './queue-order.ts';
import { QueuedMessageActions } from './queued-message-actions.tsx';

interface QueuedMessageProps {
  readonly sessionId: string;
  readonly input: InputRecord;
  /** From 1. */
  readonly place: number;
  readonly order: readonly string[];
  /** How often somebody asked to edit this message from outside. */
  readonly editRequests: number;
}

const DRAGGED = 'application/x-signalbox-message';

/** A message queued on the server: it can be edited, moved, canceled, or sent into the running turn. */
export function QueuedMessage({ sessionId, input, place, order, editRequests }: QueuedMessageProps) {
  const cockpit = useCockpit();
  const [isEditing, setEditing] = useState(() => cockpit.unsavedEditOf(sessionId)?.commandId === input.commandId);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (editRequests > 0) setEditing(true);
  }, [editRequests]);
  const { commandId } = input;
  const move = (by: 'up' | 'down') => {
    const before = moveTarget(order, commandId, by);
    if (before !== undefined) void cockpit.moveQueued(sessionId, commandId, before);
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
    // Dropped from above it goes after this one, from below before it.
    const isFromAbove = order.indexOf(dragged) < order.indexOf(commandId);
    void cockpit.moveQueued(sessionId, dragged, isFromAbove ? (order[order.indexOf(commandId) + 1] ?? null) : commandId);
  };
  const actions = <QueuedMessageActions sessionId={sessionId} input={input} order={order} onMove={move} />;
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
      <button type="button" className="queue-text" title="Click to edit; Alt ↑ / ↓ to move" onClick={() => setEditing(true)} onKeyDown={onKey}>
        {input.text ?? ''}
      </button>
      <span className="queue-state">{queuedMessageText(input)}</span>
      {actions}
    </li>
  );
}

/** The message's attachments and state. */
function queuedMessageText({ imageCount, context, reason }: InputRecord): string {
  const facts = [
    imageCount > 0 ? countText(imageCount, 'picture') : undefined,
    context.length > 0 ? countText(context.length, 'attachment') : undefined,
    reason === undefined ? 'Queued (saved)' : `Back in the queue: ${reason}`,
  ];
  return facts.filter((fact) => fact !== undefined).join(' · ');
}

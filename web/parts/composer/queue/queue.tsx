import { useEffect, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { queueOf } from '../../../../src/domain/transcript/transcript.ts';
import type { OutboxEntry } from '../../../client/storage/outbox.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { PausedBar } from './paused-bar.tsx';
import { QueuedMessage } from './queued-message.tsx';
import { UnconfirmedMessage } from './unconfirmed-message.tsx';

/** Messages that are not in the transcript yet: queued on the server and still editable, being sent, or still only in this browser. */
export function Queue({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const inputs = useApp((state) => state.open.get(sessionId)?.transcript.inputs);
  const isPaused = useApp((state) => state.sessions.get(sessionId)?.queuePaused === true);
  /** The message that somebody asked to edit with the button of the paused queue, and how often. */
  const [edit, setEdit] = useState({ commandId: '', times: 0 });
  const isOpen = useApp((state) => state.phase.name === 'open');
  const acknowledged = useApp(useShallow((state) => state.acknowledged.map((waiting) => waiting.entry).filter((entry) => entry.sessionId === sessionId)));
  const unsent = useApp(useShallow((state) => state.unsent.filter((entry) => entry.sessionId === sessionId)));
  const queued = inputs === undefined ? [] : queueOf({ inputs });
  const order = queued.map((input) => input.commandId);
  const isLoaded = inputs !== undefined;
  const waiting = order.join(' ');
  useEffect(() => {
    if (isLoaded) cockpit.rescueUnsavedEdit(sessionId, waiting.split(' '));
  }, [cockpit, sessionId, isLoaded, waiting]);
  const isKnown = (entry: OutboxEntry) => inputs?.has(entry.commandId) === true;
  const pending = [...acknowledged.map((entry) => [entry, 'saved'] as const), ...unsent.map((entry) => [entry, isOpen ? 'sending…' : 'not sent yet'] as const)];
  return (
    <>
      {isPaused && queued.length > 0 && (
        <PausedBar sessionId={sessionId} count={queued.length} onEdit={() => setEdit(({ times }) => ({ commandId: order[0] ?? '', times: times + 1 }))} />
      )}
      <ul className="queue" aria-label="Message queue">
        {queued.map((input, at) => (
          <QueuedMessage
            key={input.commandId}
            sessionId={sessionId}
            input={input}
            place={at + 1}
            order={order}
            editRequests={input.commandId === edit.commandId ? edit.times : 0}
          />
        ))}
        {pending
          .filter(([entry]) => !isKnown(entry))
          .map(([entry, state]) => (entry.frame.type === 'input' ? <UnconfirmedMessage key={entry.commandId} frame={entry.frame} state={state} /> : null))}
      </ul>
    </>
  );
}

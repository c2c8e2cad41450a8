import { useEffect } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { queueOf } from '../../../../src/domain/transcript/transcript.ts';
import type { OutboxEntry } from '../../../client/storage/outbox.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { QueueLine } from './queue-line.tsx';
import { WaitingLine } from './waiting-line.tsx';

/** What was sent and is not yet in the transcript: safe on the server and still changeable, on its way, or still only here. */
export function Queue({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const inputs = useApp((state) => state.open.get(sessionId)?.transcript.inputs);
  const isOpen = useApp((state) => state.phase.name === 'open');
  const acknowledged = useApp(useShallow((state) => state.acknowledged.map((waiting) => waiting.entry).filter((entry) => entry.sessionId === sessionId)));
  const unsent = useApp(useShallow((state) => state.unsent.filter((entry) => entry.sessionId === sessionId)));
  const queued = inputs === undefined ? [] : queueOf({ inputs });
  const order = queued.map((input) => input.commandId);
  const isRead = inputs !== undefined;
  const waiting = order.join(' ');
  useEffect(() => {
    if (isRead) cockpit.rescueUnkept(sessionId, waiting.split(' '));
  }, [cockpit, sessionId, isRead, waiting]);
  const isKnown = (entry: OutboxEntry) => inputs?.has(entry.commandId) === true;
  const pending = [...acknowledged.map((entry) => [entry, 'safe'] as const), ...unsent.map((entry) => [entry, isOpen ? 'sending…' : 'not yet sent'] as const)];
  return (
    <ul className="queue" aria-label="Messages on their way">
      {queued.map((input, at) => (
        <WaitingLine key={input.commandId} sessionId={sessionId} input={input} place={at + 1} order={order} />
      ))}
      {pending
        .filter(([entry]) => !isKnown(entry))
        .map(([entry, word]) => (entry.frame.type === 'input' ? <QueueLine key={entry.commandId} frame={entry.frame} state={word} /> : null))}
    </ul>
  );
}

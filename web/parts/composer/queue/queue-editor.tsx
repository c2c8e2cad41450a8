import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { InputRecord } from '../../../../src/domain/transcript/item.ts';
import { useCockpit } from '../../../store/cockpit-context.ts';
import type { Unkept } from '../../../store/sending/editing.ts';

interface QueueEditorProps {
  readonly sessionId: string;
  readonly input: InputRecord;
  /** The other things that can be done with it, for fingers. */
  readonly actions: ReactNode;
  readonly onClose: () => void;
}

/** The waiting message in place, to be changed. Should the agent get it meanwhile, the new words go to the composer. */
export function QueueEditor({ sessionId, input, actions, onClose }: QueueEditorProps) {
  const cockpit = useCockpit();
  const [text, setText] = useState(() => kept(cockpit.unkeptOf(sessionId), input) ?? input.text ?? '');
  const isOnlyHead = input.whole !== undefined;
  const unkept = useRef('');
  unkept.current = text === input.text ? '' : text;
  // The line goes away with its message, when the agent gets it or somebody cancels it: the words in it must not.
  useEffect(
    () => () => {
      cockpit.setUnkept(sessionId, undefined);
      cockpit.rescue(sessionId, unkept.current);
    },
    [cockpit, sessionId],
  );
  const change = (next: string) => {
    setText(next);
    cockpit.setUnkept(sessionId, next === input.text ? undefined : { commandId: input.commandId, text: next });
  };
  const leave = () => {
    unkept.current = '';
    onClose();
  };
  const keep = () => {
    leave();
    if (text.trim() !== '' && text !== input.text) void cockpit.editWaiting(sessionId, input.commandId, text);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      leave();
    }
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      keep();
    }
  };
  return (
    <li className="queue-line editing">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to type here
        autoFocus
        aria-label="Waiting message"
        rows={Math.min(8, text.split('\n').length)}
        value={text}
        disabled={isOnlyHead}
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKey}
      />
      {isOnlyHead && <span className="queue-state">too long to be changed here; cancel it and send it anew</span>}
      {actions}
      <button type="button" className="button plain" onClick={leave}>
        Leave it
      </button>
      <button type="button" className="button primary" disabled={text.trim() === '' || isOnlyHead} onClick={keep}>
        Keep
      </button>
    </li>
  );
}

/** What was typed before a reload, if it was for this message. */
const kept = (unkept: Unkept | undefined, { commandId }: InputRecord): string | undefined => (unkept?.commandId === commandId ? unkept.text : undefined);

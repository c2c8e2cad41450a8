import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { InputRecord } from '../../../../src/domain/transcript/item.ts';
import { useCockpit } from '../../../store/cockpit-context.ts';
import type { UnsavedEdit } from '../../../store/sending/edit-queued.ts';

interface QueueEditorProps {
  readonly sessionId: string;
  readonly input: InputRecord;
  /** The message's other actions, for touch screens. */
  readonly actions: ReactNode;
  readonly onClose: () => void;
}

/** Edits a queued message in place. If the agent gets the message in the meantime, the edited text goes to the composer. */
export function QueueEditor({ sessionId, input, actions, onClose }: QueueEditorProps) {
  const cockpit = useCockpit();
  const [text, setText] = useState(() => savedText(cockpit.unsavedEditOf(sessionId), input) ?? input.text ?? '');
  const isOnlyHead = input.whole !== undefined;
  const unsaved = useRef('');
  unsaved.current = text === input.text ? '' : text;
  // The line disappears when the agent gets the message or someone cancels it; the edited text must not.
  useEffect(
    () => () => {
      cockpit.setUnsavedEdit(sessionId, undefined);
      cockpit.rescue(sessionId, unsaved.current);
    },
    [cockpit, sessionId],
  );
  const change = (next: string) => {
    setText(next);
    cockpit.setUnsavedEdit(sessionId, next === input.text ? undefined : { commandId: input.commandId, text: next });
  };
  const cancel = () => {
    unsaved.current = '';
    onClose();
  };
  const save = () => {
    cancel();
    if (text.trim() !== '' && text !== input.text) void cockpit.editQueued(sessionId, input.commandId, text);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      cancel();
    }
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      save();
    }
  };
  return (
    <li className="queue-line editing">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person has just opened it
        autoFocus
        aria-label="Queued message"
        rows={Math.min(8, text.split('\n').length)}
        value={text}
        disabled={isOnlyHead}
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKey}
      />
      {isOnlyHead && <span className="queue-state">Too long to edit here. Remove it and send it again.</span>}
      {actions}
      <button type="button" className="button plain" onClick={cancel}>
        Cancel
      </button>
      <button type="button" className="button primary" disabled={text.trim() === '' || isOnlyHead} onClick={save}>
        Save
      </button>
    </li>
  );
}

/** The text typed before a reload, if it was for this message. */
const savedText = (unsaved: UnsavedEdit | undefined, { commandId }: InputRecord): string | undefined =>
  unsaved?.commandId === commandId ? unsaved.text : undefined;

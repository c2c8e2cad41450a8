import { type KeyboardEvent, useState } from 'react';
import type { InputRecord } from '../../src/domain/transcript/item.ts';
import { useCockpit } from '../app/cockpit-context.ts';

interface QueueEditorProps {
  readonly sessionId: string;
  readonly input: InputRecord;
  readonly onClose: () => void;
}

/** The waiting message in place, to be changed. Should the agent get it meanwhile, the new words go to the composer. */
export function QueueEditor({ sessionId, input, onClose }: QueueEditorProps) {
  const cockpit = useCockpit();
  const [text, setText] = useState(input.text ?? '');
  const isOnlyHead = input.whole !== undefined;
  const keep = () => {
    onClose();
    if (text.trim() !== '' && text !== input.text) void cockpit.editWaiting(sessionId, input.commandId, text);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      onClose();
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
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKey}
      />
      {isOnlyHead && <span className="queue-state">too long to be changed here; cancel it and send it anew</span>}
      <button type="button" className="button plain" onClick={onClose}>
        Leave it
      </button>
      <button type="button" className="button primary" disabled={text.trim() === '' || isOnlyHead} onClick={keep}>
        Keep
      </button>
    </li>
  );
}

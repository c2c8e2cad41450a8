import type { KeyboardEvent } from 'react';
import { LIMITS } from '../../../../src/protocol/limits.ts';

interface NoteEditorProps {
  readonly text: string;
  readonly isAskedFor: boolean;
  readonly onType: (text: string) => void;
  /** Without words there is no note. */
  readonly onKeep: (text: string) => void;
  readonly onLeave: () => void;
}

/** A note on a message, where it will stand. It is there at once: keys that a person presses before it came would be heard by the page. */
export function NoteEditor({ text, isAskedFor, onType, onKeep, onLeave }: NoteEditorProps) {
  const keep = () => onKeep(text.trim());
  const onKey = (event: KeyboardEvent) => {
    const isKeep = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing;
    if (!isKeep && event.key !== 'Escape') return;
    event.preventDefault();
    if (isKeep) keep();
    else onLeave();
  };
  return (
    <div className="item-note editing">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: only when the person has just asked to type here, not when a reload or the scroll brings it back
        autoFocus={isAskedFor}
        aria-label="Note on this message"
        placeholder="A note, for you and whoever reads along; the agent does not see it"
        maxLength={LIMITS.inlineBytes}
        rows={Math.min(8, Math.max(2, text.split('\n').length))}
        value={text}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKey}
      />
      <p className="item-note-ways">
        <button type="button" className="button primary" onClick={keep}>
          Keep
        </button>
        <button type="button" className="button plain" onClick={onLeave}>
          Leave it
        </button>
      </p>
    </div>
  );
}

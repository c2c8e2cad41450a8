import type { KeyboardEvent } from 'react';
import { LIMITS } from '../../../../src/protocol/limits.ts';
import { EditorButtons } from './editor-buttons.tsx';

interface NoteEditorProps {
  readonly text: string;
  readonly isJustOpened: boolean;
  readonly onType: (text: string) => void;
  /** Empty text removes the note. */
  readonly onSave: (text: string) => void;
  readonly onCancel: () => void;
}

/** Edits a note in place. It is part of the page's first script: if it loaded later, keys typed before then would act on the page. */
export function NoteEditor({ text, isJustOpened, onType, onSave, onCancel }: NoteEditorProps) {
  const save = () => onSave(text.trim());
  const onKey = (event: KeyboardEvent) => {
    const isSave = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing;
    if (!isSave && event.key !== 'Escape') return;
    event.preventDefault();
    if (isSave) save();
    else onCancel();
  };
  return (
    <div className="item-note editing">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: only when the person has just opened it, not when a reload or scrolling brings it back
        autoFocus={isJustOpened}
        aria-label="Note on this message"
        placeholder="A note for you and your team; the agent doesn’t see it"
        maxLength={LIMITS.inlineBytes}
        rows={Math.min(8, Math.max(2, text.split('\n').length))}
        value={text}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKey}
      />
      <EditorButtons onSave={save} onCancel={onCancel} />
    </div>
  );
}

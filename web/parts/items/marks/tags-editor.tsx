import type { KeyboardEvent } from 'react';
import { tagsOf } from '../../common/tags-of.ts';
import { EditorButtons } from './editor-buttons.tsx';

interface TagsEditorProps {
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly onSave: (tags: readonly string[]) => void;
  readonly onCancel: () => void;
}

/** Edits the tags of a message in place. Part of the first script, like the note editor. */
export function TagsEditor({ text, onType, onSave, onCancel }: TagsEditorProps) {
  const save = () => onSave(tagsOf(text));
  const onKey = (event: KeyboardEvent) => {
    const isSave = event.key === 'Enter' && !event.nativeEvent.isComposing;
    if (!isSave && event.key !== 'Escape') return;
    event.preventDefault();
    if (isSave) save();
    else onCancel();
  };
  return (
    <div className="item-note editing">
      <input
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to type here
        autoFocus
        aria-label="Tags of this message (comma-separated)"
        placeholder="Tags, separated by commas"
        value={text}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKey}
      />
      <EditorButtons onSave={save} onCancel={onCancel} />
    </div>
  );
}

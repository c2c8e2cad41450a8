import type { KeyboardEvent } from 'react';
import type { ContextItem } from '../../../../src/protocol/command.ts';
import { parseFileReference } from './file-reference.ts';

interface AttachFileFormProps {
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly onAttachFile: (item: ContextItem) => void;
  readonly onClose: () => void;
}

/** Attaches a file from the session's folder, or lines of it: `src/cart/merge.ts:38-44`. */
export function AttachFileForm({ typed, onType, onAttachFile, onClose }: AttachFileFormProps) {
  const reference = parseFileReference(typed);
  const add = () => {
    if (reference === undefined) return;
    onAttachFile(reference);
    onClose();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && event.key !== 'Enter') return;
    event.preventDefault();
    event.key === 'Escape' ? onClose() : add();
  };
  return (
    <div className="point-form">
      <input
        // biome-ignore lint/a11y/noAutofocus: the person has just opened it
        autoFocus
        className="mono"
        aria-label="File in the project folder, lines optional"
        placeholder="src/cart/merge.ts:38-44"
        spellCheck={false}
        autoCapitalize="off"
        value={typed}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKey}
      />
      <button type="button" className="button" disabled={reference === undefined} onClick={add}>
        Add
      </button>
    </div>
  );
}

import type { KeyboardEvent } from 'react';
import type { ContextItem } from '../../../../src/protocol/command.ts';
import { readPlace } from './read-place.ts';

interface PointFormProps {
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly onPoint: (item: ContextItem) => void;
  readonly onClose: () => void;
}

/** A file of the session's folder, or lines of it, typed as people write them: `src/cart/merge.ts:38-44`. */
export function PointForm({ typed, onType, onPoint, onClose }: PointFormProps) {
  const place = readPlace(typed);
  const add = () => {
    if (place === undefined) return;
    onPoint(place);
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
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to type here
        autoFocus
        className="mono"
        aria-label="File in this session's folder, with lines if you like"
        placeholder="src/cart/merge.ts:38-44"
        spellCheck={false}
        autoCapitalize="off"
        value={typed}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKey}
      />
      <button type="button" className="button" disabled={place === undefined} onClick={add}>
        Add
      </button>
    </div>
  );
}

import { ChevronLeft, Search, X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { idOf } from './id-of.ts';

interface PaletteFieldProps {
  readonly label: string;
  readonly words: string;
  readonly active: string | undefined;
  /** Whether an action asks for an answer now. */
  readonly canGoBack: boolean;
  readonly onType: (words: string) => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly onTake: () => void;
  readonly onBack: () => void;
  readonly onClose: () => void;
}

/** Where the letters go. The arrows walk through the list below without leaving the field. */
export function PaletteField({ label, words, active, canGoBack, onType, onStep, onTake, onBack, onClose }: PaletteFieldProps) {
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => onStep(1),
    ArrowUp: () => onStep(-1),
    Enter: onTake,
    ...(canGoBack && { Escape: onBack, ...(words === '' && { Backspace: onBack }) }),
  };
  const onKey = (event: KeyboardEvent) => {
    const act = keys[event.key];
    if (act === undefined || event.nativeEvent.isComposing) return;
    event.preventDefault();
    act();
  };
  return (
    <div className="palette-field">
      {canGoBack ? (
        <button type="button" className="icon-button" aria-label="Back" onClick={onBack}>
          <ChevronLeft size={18} aria-hidden="true" />
        </button>
      ) : (
        <Search size={17} aria-hidden="true" />
      )}
      <input
        // biome-ignore lint/a11y/noAutofocus: whoever opens the palette types at once
        autoFocus
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-activedescendant={active === undefined ? undefined : idOf(active)}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        value={words}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKey}
      />
      <button type="button" className="icon-button palette-close" aria-label="Close" onClick={onClose}>
        <X size={18} aria-hidden="true" />
      </button>
    </div>
  );
}

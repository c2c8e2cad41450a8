import { ChevronLeft, Search, X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { optionId } from './items.ts';

interface PaletteFieldProps {
  readonly label: string;
  readonly query: string;
  readonly active: string | undefined;
  /** Whether an action is asking for a choice. */
  readonly canGoBack: boolean;
  readonly onType: (query: string) => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly onRun: () => void;
  readonly onBack: () => void;
  readonly onClose: () => void;
}

/** The search field. Arrow keys move through the list without leaving the field. */
export function PaletteField({ label, query, active, canGoBack, onType, onStep, onRun, onBack, onClose }: PaletteFieldProps) {
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => onStep(1),
    ArrowUp: () => onStep(-1),
    Enter: onRun,
    ...(canGoBack && { Escape: onBack, ...(query === '' && { Backspace: onBack }) }),
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
        // biome-ignore lint/a11y/noAutofocus: people open the palette to type
        autoFocus
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-activedescendant={active === undefined ? undefined : optionId(active)}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKey}
      />
      <button type="button" className="icon-button palette-close" aria-label="Close" onClick={onClose}>
        <X size={18} aria-hidden="true" />
      </button>
    </div>
  );
}

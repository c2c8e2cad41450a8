import type { ReactNode } from 'react';
import { KeyHint } from '../../../base/ui/key-hint.tsx';

interface KeyButtonProps {
  readonly label: ReactNode;
  readonly keyName: string;
  /** Whether the key works now. */
  readonly hasKey: boolean;
  readonly look?: 'primary' | 'plain';
  readonly isOff?: boolean;
  /** The id of the text that says why it is off. */
  readonly describedBy?: string | undefined;
  readonly onPress: () => void;
}

/** A button with its key; the key is shown only while it works. */
export function KeyButton({ label, keyName, hasKey, look, isOff = false, describedBy, onPress }: KeyButtonProps) {
  const keys = hasKey ? { 'aria-keyshortcuts': keyName } : {};
  return (
    <button
      type="button"
      className={look === undefined ? 'button' : `button ${look}`}
      disabled={isOff}
      aria-describedby={describedBy}
      onClick={onPress}
      {...keys}
    >
      {label} {hasKey && <KeyHint>{keyName}</KeyHint>}
    </button>
  );
}

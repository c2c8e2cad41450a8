import { useState } from 'react';

interface ConfirmButtonProps {
  readonly label: string;
  /** What will happen. */
  readonly question: string;
  readonly onConfirm: () => void;
}

/** Asks for confirmation in place. */
export function ConfirmButton({ label, question, onConfirm }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking) {
    return (
      <button type="button" className="button plain" onClick={() => setAsking(true)}>
        {label}
      </button>
    );
  }
  return (
    <span className="confirm">
      <span>{question}</span>
      {/* biome-ignore lint/a11y/noAutofocus: the person has just asked for this */}
      <button type="button" className="button" autoFocus onClick={onConfirm}>
        {`Yes, ${label.toLowerCase()}`}
      </button>
      <button type="button" className="button plain" onClick={() => setAsking(false)}>
        Cancel
      </button>
    </span>
  );
}

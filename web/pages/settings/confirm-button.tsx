import { useState } from 'react';

interface ConfirmButtonProps {
  readonly label: string;
  /** What will happen, as a question. */
  readonly question: string;
  readonly onConfirm: () => void;
}

/** Asks once more, in place, before something is taken away. */
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
      {/* biome-ignore lint/a11y/noAutofocus: the question has just been asked for */}
      <button type="button" className="button" autoFocus onClick={onConfirm}>
        {`Yes, ${label.toLowerCase()}`}
      </button>
      <button type="button" className="button plain" onClick={() => setAsking(false)}>
        Keep
      </button>
    </span>
  );
}

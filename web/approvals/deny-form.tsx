import { type KeyboardEvent, useState } from 'react';

interface DenyFormProps {
  readonly onDeny: (reason: string) => void;
  readonly onBack: () => void;
}

/** The reason goes to the agent, so that it can do better; it may stay empty. */
export function DenyForm({ onDeny, onBack }: DenyFormProps) {
  const [reason, setReason] = useState('');
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onBack();
  };
  return (
    <form className="deny-form" action={() => onDeny(reason)}>
      <input
        // biome-ignore lint/a11y/noAutofocus: the person has just chosen to deny and may type at once
        autoFocus
        value={reason}
        placeholder="Tell the agent why (may stay empty)"
        aria-label="Reason"
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={onKey}
      />
      <button type="submit" className="button">
        Deny
      </button>
      <button type="button" className="button plain" onClick={onBack}>
        Back
      </button>
    </form>
  );
}

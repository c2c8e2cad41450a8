const KEYS = [
  ['↑ ↓', 'choose'],
  ['y', 'allow'],
  ['e', 'edit'],
  ['r', 'remember'],
  ['n', 'deny'],
  ['⏎', 'open'],
] as const;

/** The few keys that answer everything, for whoever has a keyboard. */
export function InboxKeys() {
  return (
    <p className="inbox-keys" aria-hidden="true">
      {KEYS.map(([key, what]) => (
        <span key={key}>
          <kbd>{key}</kbd> {what}
        </span>
      ))}
    </p>
  );
}

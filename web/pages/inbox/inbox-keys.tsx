const KEYS = [
  ['↑ ↓', 'select'],
  ['y', 'allow'],
  ['e', 'edit'],
  ['r', 'always'],
  ['n', 'deny'],
  ['⏎', 'open'],
] as const;

/** The keys that answer requests. */
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

export function QueueLine({ text, state }: { readonly text: string; readonly state: string }) {
  return (
    <li className="queue-line">
      <span className="queue-next">Next:</span>
      <span className="queue-text">{text}</span>
      <span className="queue-state">{state}</span>
    </li>
  );
}

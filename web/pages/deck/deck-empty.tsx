import { useShell } from '../../base/actions/shell-context.ts';

export function DeckEmpty() {
  const { openNewSession } = useShell();
  return (
    <section className="deck-empty">
      <svg viewBox="0 0 240 40" aria-hidden="true">
        <path className="empty-track" d="M0 20h240" />
        <circle className="empty-disc" cx="40" cy="20" r="6" />
        <path className="empty-diamond" d="M120 12l8 8-8 8-8-8z" />
        <circle className="empty-ring" cx="200" cy="20" r="5" />
      </svg>
      <h2>The lines are clear</h2>
      <p>Start an agent in a folder and give it a first message. You can close this page; the agent keeps working.</p>
      <button type="button" className="button primary" onClick={openNewSession}>
        New session
      </button>
    </section>
  );
}

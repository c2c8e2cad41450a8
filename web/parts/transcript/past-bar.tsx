import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** The agent's own file of the conversation is gone: what that means, and the way back when a copy is kept. */
export function PastBar({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const isGone = useApp((state) => state.sessions.get(sessionId)?.past?.gone === true);
  const isKept = useApp((state) => state.sessions.get(sessionId)?.past?.kept === true);
  if (!isGone) return null;
  if (!isKept) {
    return (
      <section className="limit-bar reached" aria-label="The record is gone">
        <span>The agent’s own file of this conversation is gone, and no copy of it was kept. What can still be shown is shown; it cannot be gone on with.</span>
      </section>
    );
  }
  return (
    <section className="limit-bar" aria-label="The record is gone">
      <span>The agent’s own file of this conversation is gone. What you read is the copy that was kept; to go on with it, put it back.</span>
      <button type="button" className="button" onClick={() => void cockpit.restore(sessionId)}>
        Restore
      </button>
    </section>
  );
}

import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** The agent's own file of the conversation is gone: says what that means, and offers to restore it when Signalbox has a copy. */
export function MissingFileBar({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const isGone = useApp((state) => state.sessions.get(sessionId)?.past?.gone === true);
  const hasCopy = useApp((state) => state.sessions.get(sessionId)?.past?.kept === true);
  if (!isGone) return null;
  if (!hasCopy) {
    return (
      <section className="limit-bar reached" aria-label="Session file missing">
        <span>The agent’s session file is gone and Signalbox has no copy. You can read what was saved, but it can’t be resumed.</span>
      </section>
    );
  }
  return (
    <section className="limit-bar" aria-label="Session file missing">
      <span>The agent’s session file is gone. You are reading Signalbox’s copy; restore the file to resume.</span>
      <button type="button" className="button" onClick={() => void cockpit.restore(sessionId)}>
        Restore
      </button>
    </section>
  );
}

import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { shownIn } from '../../store/state/app-state.ts';

/** What stands at the top: that there is more, that it comes, or that this is the beginning. */
export function OlderSign({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const older = useApp((state) => (state.open.get(sessionId)?.away ?? state.open.get(sessionId))?.older);
  const hasOlder = useApp((state) => (shownIn(state, sessionId)?.firstSeq ?? 0) > 1);
  if (!hasOlder || older === 'none') return null;
  return (
    <p className="older-sign">
      {older === 'loading' && 'Fetching what came before…'}
      {older === 'idle' && 'There is more above'}
      {older === 'failed' && (
        <button type="button" className="text-button" onClick={() => void cockpit.loadOlder(sessionId)}>
          What came before could not be fetched. Try again
        </button>
      )}
    </p>
  );
}

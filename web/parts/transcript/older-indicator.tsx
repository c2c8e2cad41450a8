import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { shownIn } from '../../store/state/app-state.ts';

/** At the top: says that there is more or that it is loading; nothing at the start of the session. */
export function OlderIndicator({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const older = useApp((state) => (state.open.get(sessionId)?.away ?? state.open.get(sessionId))?.older);
  const hasOlder = useApp((state) => (shownIn(state, sessionId)?.firstSeq ?? 0) > 1);
  if (!hasOlder || older === 'none') return null;
  return (
    <p className="older-sign">
      {older === 'loading' && 'Loading older messages…'}
      {older === 'idle' && 'More above'}
      {older === 'failed' && (
        <button type="button" className="text-button" onClick={() => void cockpit.loadOlder(sessionId)}>
          Couldn’t load older messages. Try again
        </button>
      )}
    </p>
  );
}

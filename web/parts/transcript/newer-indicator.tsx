import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** At the bottom of a window that does not reach the end. */
export function NewerIndicator({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const away = useApp((state) => state.open.get(sessionId)?.away);
  if (away === undefined) return null;
  return (
    <p className="newer-sign">
      {away.newer === 'loading' && 'Loading newer messages…'}
      {away.newer === 'idle' && 'More below'}
      {away.newer === 'none' && away.branch !== undefined && 'This branch ends here'}
      {away.newer === 'failed' && (
        <button type="button" className="text-button" onClick={() => void cockpit.loadNewer(sessionId)}>
          Couldn’t load newer messages. Try again
        </button>
      )}
    </p>
  );
}

import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** What stands at the bottom of a window that does not reach the end. */
export function NewerSign({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const away = useApp((state) => state.open.get(sessionId)?.away);
  if (away === undefined) return null;
  return (
    <p className="newer-sign">
      {away.newer === 'loading' && 'Fetching what came after…'}
      {away.newer === 'idle' && 'There is more below'}
      {away.newer === 'none' && away.branch !== undefined && 'This way ends here'}
      {away.newer === 'failed' && (
        <button type="button" className="text-button" onClick={() => void cockpit.loadNewer(sessionId)}>
          What came after could not be fetched. Try again
        </button>
      )}
    </p>
  );
}

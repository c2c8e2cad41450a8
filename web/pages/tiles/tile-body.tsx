import { useEffect } from 'react';
import { TranscriptPane } from '../../parts/transcript/transcript-pane.tsx';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** A session's transcript and composer. */
export function TileBody({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const isMissing = useApp((state) => state.missing.has(sessionId));
  useEffect(() => {
    cockpit.openSession(sessionId);
    return () => cockpit.closeSession(sessionId);
  }, [cockpit, sessionId]);
  if (isMissing)
    return <p className="tile-missing">This session doesn’t exist: the link may be wrong, or it was deleted. Close the tile or choose another session.</p>;
  return <TranscriptPane sessionId={sessionId} />;
}

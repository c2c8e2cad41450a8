import { useEffect } from 'react';
import { SessionSheet } from '../../parts/transcript/transcript-pane.tsx';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** What a session says and where to write to it. */
export function TileBody({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const isMissing = useApp((state) => state.missing.has(sessionId));
  useEffect(() => {
    cockpit.openSession(sessionId);
    return () => cockpit.closeSession(sessionId);
  }, [cockpit, sessionId]);
  if (isMissing)
    return (
      <p className="tile-missing">There is no such session: the link may be mistyped, or it was deleted. Take the tile away, or put another in its place.</p>
    );
  return <SessionSheet sessionId={sessionId} />;
}

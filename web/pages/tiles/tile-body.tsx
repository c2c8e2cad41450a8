import { useEffect, useRef } from 'react';
import { Commenting } from '../../parts/annotations/commenting.tsx';
import { TranscriptPane } from '../../parts/transcript/transcript-pane.tsx';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** A session's transcript and composer. */
export function TileBody({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const body = useRef<HTMLDivElement>(null);
  const isMissing = useApp((state) => state.missing.has(sessionId));
  useEffect(() => {
    cockpit.openSession(sessionId);
    return () => cockpit.closeSession(sessionId);
  }, [cockpit, sessionId]);
  if (isMissing)
    return <p className="tile-missing">This session doesn’t exist: the link may be wrong, or it was deleted. Close the tile or choose another session.</p>;
  return (
    <div ref={body} className="tile-body">
      <Commenting sessionId={sessionId} within={body}>
        <TranscriptPane sessionId={sessionId} />
      </Commenting>
    </div>
  );
}

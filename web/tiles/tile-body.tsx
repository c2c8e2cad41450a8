import { useEffect } from 'react';
import { useApp, useCockpit } from '../app/cockpit-context.ts';
import { Composer } from '../composer/composer.tsx';
import { DriverBar } from '../session/driver-bar.tsx';
import { EarlierRequests } from '../session/earlier-requests.tsx';
import { LimitBar } from '../session/limit-bar.tsx';
import { PastBar } from '../session/past-bar.tsx';
import { TodoStrip } from '../session/todo-strip.tsx';
import { TranscriptView } from '../session/transcript-view.tsx';

/** What a session says and where to write to it. */
export function TileBody({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const isMissing = useApp((state) => state.missing.has(sessionId));
  const isOpen = useApp((state) => state.open.has(sessionId));
  useEffect(() => {
    cockpit.openSession(sessionId);
    return () => cockpit.closeSession(sessionId);
  }, [cockpit, sessionId]);
  if (isMissing)
    return (
      <p className="tile-missing">There is no such session: the link may be mistyped, or it was deleted. Take the tile away, or put another in its place.</p>
    );
  return (
    <>
      {isOpen ? <TranscriptView sessionId={sessionId} /> : <div className="transcript-wait" />}
      <div className="session-foot">
        <EarlierRequests sessionId={sessionId} />
        <PastBar sessionId={sessionId} />
        <DriverBar sessionId={sessionId} />
        <LimitBar sessionId={sessionId} />
        <TodoStrip sessionId={sessionId} />
        <Composer sessionId={sessionId} />
      </div>
    </>
  );
}

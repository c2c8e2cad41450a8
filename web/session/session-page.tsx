import { Suspense, useEffect } from 'react';
import { HeardContext } from '../actions/actions-context.ts';
import { useApp, useCockpit } from '../app/cockpit-context.ts';
import { Composer } from '../composer/composer.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { useIsCovered } from '../sides/side.ts';
import { lazily } from '../ui/lazily.ts';
import { Announcer } from './announcer.tsx';
import { DriverBar } from './driver-bar.tsx';
import { EarlierRequests } from './earlier-requests.tsx';
import { LimitBar } from './limit-bar.tsx';
import { PastBar } from './past-bar.tsx';
import { SessionHeader } from './session-header.tsx';
import { TodoStrip } from './todo-strip.tsx';
import { TranscriptView } from './transcript-view.tsx';

const Sides = lazily(() => import('../sides/sides.tsx'));

/** One session: its head, its transcript, and the place to write. */
export function SessionPage({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const isMissing = useApp((state) => state.missing.has(sessionId));
  const isOpen = useApp((state) => state.open.has(sessionId));
  useEffect(() => {
    cockpit.openSession(sessionId);
    return () => cockpit.closeSession(sessionId);
  }, [cockpit, sessionId]);
  const isCovered = useIsCovered();
  if (isMissing) return <NotFound />;
  return (
    <main className="session">
      <SessionHeader sessionId={sessionId} />
      <Announcer key={sessionId} sessionId={sessionId} />
      <Suspense>
        <Sides sessionId={sessionId} />
      </Suspense>
      <HeardContext value={!isCovered}>
        {isOpen ? <TranscriptView sessionId={sessionId} /> : <div className="transcript-wait" />}
        <div className="session-foot">
          <EarlierRequests sessionId={sessionId} />
          <PastBar sessionId={sessionId} />
          <DriverBar sessionId={sessionId} />
          <LimitBar sessionId={sessionId} />
          <TodoStrip sessionId={sessionId} />
          <Composer sessionId={sessionId} />
        </div>
      </HeardContext>
    </main>
  );
}

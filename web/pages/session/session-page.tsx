import { Suspense, useEffect } from 'react';
import { HeardContext } from '../../base/actions/actions-context.ts';
import { lazily } from '../../base/browser/lazily.ts';
import { NotFound } from '../../base/ui/not-found.tsx';
import { useIsCovered } from '../../parts/address/inspector-address.ts';
import { SessionSheet } from '../../parts/transcript/transcript-pane.tsx';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { Announcer } from './announcer.tsx';
import { SessionHeader } from './session-header.tsx';

const Sides = lazily(() => import('./inspector/inspector.tsx'));

/** One session: its head, its transcript, and the place to write. */
export function SessionPage({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const isMissing = useApp((state) => state.missing.has(sessionId));
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
        <SessionSheet sessionId={sessionId} />
      </HeardContext>
    </main>
  );
}

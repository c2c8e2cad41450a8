import { Suspense, useEffect } from 'react';
import { HeardContext } from '../actions/actions-context.ts';
import { useApp, useCockpit } from '../app/cockpit-context.ts';
import { NotFound } from '../shell/not-found.tsx';
import { useIsCovered } from '../sides/side.ts';
import { lazily } from '../ui/lazily.ts';
import { Announcer } from './announcer.tsx';
import { SessionHeader } from './session-header.tsx';
import { SessionSheet } from './session-sheet.tsx';

const Sides = lazily(() => import('../sides/sides.tsx'));

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

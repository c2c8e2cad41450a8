import { Suspense, useEffect } from 'react';
import { KeysActiveContext } from '../../base/actions/actions-context.ts';
import { lazily } from '../../base/browser/lazily.ts';
import { NotFound } from '../../base/ui/not-found.tsx';
import { useIsCovered } from '../../parts/address/inspector-address.ts';
import { Commenting } from '../../parts/annotations/commenting.tsx';
import { TranscriptPane } from '../../parts/transcript/transcript-pane.tsx';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { Announcer } from './announcer.tsx';
import { SessionHeader } from './session-header.tsx';

const Inspector = lazily(() => import('./inspector/inspector.tsx'));

/** One session: header, inspector, transcript and composer. */
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
      <Commenting sessionId={sessionId}>
        <Suspense>
          <Inspector sessionId={sessionId} />
        </Suspense>
        <KeysActiveContext value={!isCovered}>
          <TranscriptPane sessionId={sessionId} />
        </KeysActiveContext>
      </Commenting>
    </main>
  );
}

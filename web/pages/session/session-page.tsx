import { Suspense, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { KeysActiveContext } from '../../base/actions/actions-context.ts';
import { lazily } from '../../base/browser/lazily.ts';
import { useMedia } from '../../base/browser/use-media.ts';
import { NotFound } from '../../base/ui/not-found.tsx';
import { useIsCovered } from '../../parts/address/inspector-address.ts';
import { Commenting } from '../../parts/annotations/commenting.tsx';
import { TranscriptPane } from '../../parts/transcript/transcript-pane.tsx';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';
import { Announcer } from './announcer.tsx';
import { NARROW, navOpen } from './nav/nav-open.ts';
import { NextUp } from './nav/next-up.tsx';
import { useNavActions } from './nav/use-nav-actions.ts';
import { SessionHeader } from './session-header.tsx';

const SessionNav = lazily(() => import('./nav/session-nav.tsx'));
const NavSheet = lazily(() => import('./nav/nav-sheet.tsx'));
const Inspector = lazily(() => import('./inspector/inspector.tsx'));

/** One session: header, inspector, transcript and composer. */
export function SessionPage({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const isMissing = useApp((state) => state.missing.has(sessionId));
  useEffect(() => {
    cockpit.openSession(sessionId);
    return () => cockpit.closeSession(sessionId);
  }, [cockpit, sessionId]);
  const page = useRef<HTMLElement>(null);
  const isCovered = useIsCovered();
  useNavActions(sessionId);
  const isNarrow = useMedia(NARROW);
  const isNavShown = useStore(navOpen, (state) => state.isOpen) && !isNarrow;
  if (isMissing) return <NotFound />;
  return (
    <div className="session-frame">
      <Suspense fallback={isNavShown && <div className="session-nav" />}>{isNavShown && <SessionNav sessionId={sessionId} />}</Suspense>
      <Suspense>{isNarrow && <NavSheet sessionId={sessionId} />}</Suspense>
      <main className="session" ref={page}>
        <SessionHeader sessionId={sessionId} />
        <Announcer key={sessionId} sessionId={sessionId} />
        <Commenting sessionId={sessionId} within={page}>
          <Suspense>
            <Inspector sessionId={sessionId} />
          </Suspense>
          <KeysActiveContext value={!isCovered}>
            <TranscriptPane sessionId={sessionId} beforeComposer={<NextUp key={sessionId} sessionId={sessionId} />} />
          </KeysActiveContext>
        </Commenting>
      </main>
    </div>
  );
}

import { Outlet } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { useAfterContent } from '../../../base/browser/use-after-content.ts';
import { createSidesApi } from '../../../client/http/inspector-api.ts';
import { useSide } from '../../../parts/address/inspector-address.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { SidesContext, type SidesValue } from './inspector-context.ts';
import { SideTabs } from './inspector-tabs.tsx';
import { openToolsReview } from './review-store.ts';
import { useSideSearch } from './use-inspector-search.ts';
import { useLastWork } from './use-last-work.ts';

/** Of a session with so many events the changes are counted unasked; of a longer one when somebody looks. */
const COUNTED_EVENTS = 2000;

/** What stands beside the transcript: the tabs always, and the one that the address names. */
export default function Sides({ sessionId }: { readonly sessionId: string }) {
  const [value] = useState(() => openSides(sessionId));
  const side = useSide();
  const [search] = useSideSearch();
  const isKnown = useAfterContent(useApp((state) => state.sessions.has(sessionId) || undefined));
  const isShort = useApp((state) => (state.sessions.get(sessionId)?.lastSeq ?? Number.POSITIVE_INFINITY) <= COUNTED_EVENTS);
  const work = useLastWork(sessionId);
  const isCounted = isShort || side === 'changes' || side === 'files';
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the agent did something, what it changed is asked for again
  useEffect(() => {
    if (isCounted) void value.tools.refresh();
  }, [value, isCounted, work]);
  if (!isKnown) return null;
  return (
    <SidesContext value={value}>
      {side === undefined ? (
        <SideTabs sessionId={sessionId} side={side} />
      ) : (
        <aside className={search.wide === undefined ? 'side' : 'side wide'} aria-label="Beside the transcript">
          <SideTabs sessionId={sessionId} side={side} />
          <Suspense fallback={<p className="side-words">One moment…</p>}>
            <Outlet />
          </Suspense>
        </aside>
      )}
    </SidesContext>
  );
}

function openSides(sessionId: string): SidesValue {
  const api = createSidesApi(document.baseURI, sessionId);
  return { sessionId, api, tools: openToolsReview(api) };
}

import { Outlet } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { useAfterContent } from '../../../base/browser/use-after-content.ts';
import { createInspectorApi } from '../../../client/http/inspector-api.ts';
import { useInspectorView } from '../../../parts/address/inspector-address.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { InspectorContext, type InspectorValue } from './inspector-context.ts';
import { InspectorTabs } from './inspector-tabs.tsx';
import { openToolsReview } from './review-store.ts';
import { useInspectorSearch } from './use-inspector-search.ts';
import { useLastFileEvent } from './use-last-file-event.ts';

/** Up to this many events, changes are counted right away; in longer sessions only when somebody looks. */
const COUNTED_EVENTS = 2000;

/** The inspector beside the transcript: always its tabs, and the pane named in the address. */
export default function Inspector({ sessionId }: { readonly sessionId: string }) {
  const [value] = useState(() => openInspector(sessionId));
  const pane = useInspectorView();
  const [search] = useInspectorSearch();
  const isKnown = useAfterContent(useApp((state) => state.sessions.has(sessionId) || undefined));
  const isShort = useApp((state) => (state.sessions.get(sessionId)?.lastSeq ?? Number.POSITIVE_INFINITY) <= COUNTED_EVENTS);
  const work = useLastFileEvent(sessionId);
  const isCounted = isShort || pane === 'changes' || pane === 'files';
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads after the agent changed files
  useEffect(() => {
    if (isCounted) void value.tools.refresh();
  }, [value, isCounted, work]);
  if (!isKnown) return null;
  return (
    <InspectorContext value={value}>
      {pane === undefined ? (
        <InspectorTabs sessionId={sessionId} pane={pane} />
      ) : (
        <aside className={search.wide === undefined ? 'side' : 'side wide'} aria-label="Inspector">
          <InspectorTabs sessionId={sessionId} pane={pane} />
          <Suspense fallback={<p className="side-words">Loading…</p>}>
            <Outlet />
          </Suspense>
        </aside>
      )}
    </InspectorContext>
  );
}

function openInspector(sessionId: string): InspectorValue {
  const api = createInspectorApi(document.baseURI, sessionId);
  return { sessionId, api, tools: openToolsReview(api) };
}

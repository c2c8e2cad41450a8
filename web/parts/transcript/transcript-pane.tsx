import { Suspense } from 'react';
import { lazily } from '../../base/browser/lazily.ts';
import { TextBoundary } from '../../base/ui/plain-text.tsx';
import { useApp } from '../../store/cockpit-context.ts';
import { SessionSelection } from '../approvals/selection/session-selection.tsx';
import { Composer } from '../composer/composer.tsx';
import { DriverBar } from './driver-bar.tsx';
import { EarlierRequests } from './earlier-requests.tsx';
import { PastBar } from './past-bar.tsx';
import { TodoStrip } from './todo-strip.tsx';
import { TranscriptView } from './transcript-view.tsx';
import { TranscriptWait } from './transcript-wait.tsx';

const LimitBar = lazily(() => import('./limit-bar.tsx'));

/** What a session says, what stands between it and a person, and where to write to it: alone on a page or in a tile. */
export function SessionSheet({ sessionId }: { readonly sessionId: string }) {
  const isOpen = useApp((state) => state.open.has(sessionId));
  const isLimited = useApp(({ sessions }) => sessions.get(sessionId)?.limit !== undefined || sessions.get(sessionId)?.continuesAt !== undefined);
  return (
    <SessionSelection sessionId={sessionId}>
      <TextBoundary of={isOpen} text={() => 'The transcript could not be drawn. Reload the page to try again.'}>
        {isOpen ? <TranscriptView sessionId={sessionId} /> : <TranscriptWait />}
      </TextBoundary>
      <div className="session-foot">
        <EarlierRequests sessionId={sessionId} />
        <PastBar sessionId={sessionId} />
        <DriverBar sessionId={sessionId} />
        {isLimited && (
          <Suspense>
            <LimitBar sessionId={sessionId} />
          </Suspense>
        )}
        <TextBoundary of={sessionId} text={() => 'The to-do list of the agent. The transcript has the calls that changed it.'}>
          <TodoStrip sessionId={sessionId} />
        </TextBoundary>
        <Composer sessionId={sessionId} />
      </div>
    </SessionSelection>
  );
}

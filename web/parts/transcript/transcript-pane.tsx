import { type ReactNode, Suspense } from 'react';
import { lazily } from '../../base/browser/lazily.ts';
import { TextBoundary } from '../../base/ui/plain-text.tsx';
import { useApp } from '../../store/cockpit-context.ts';
import { SessionSelection } from '../approvals/selection/session-selection.tsx';
import { Composer } from '../composer/composer.tsx';
import { EarlierRequests } from './earlier-requests.tsx';
import { MissingFileBar } from './missing-file-bar.tsx';
import { OpenElsewhereBar } from './open-elsewhere-bar.tsx';
import { TodoStrip } from './todo-strip.tsx';
import { TranscriptLoading } from './transcript-loading.tsx';
import { TranscriptView } from './transcript-view.tsx';

const LineBar = lazily(() => import('./line-bar.tsx'));
const LimitBar = lazily(() => import('./limit-bar.tsx'));

/** A session's transcript, what blocks it, and the composer: on its own page or in a tile. */
export function TranscriptPane({ sessionId, beforeComposer }: { readonly sessionId: string; readonly beforeComposer?: ReactNode }) {
  const isOpen = useApp((state) => state.open.has(sessionId));
  const isLimited = useApp(({ sessions }) => sessions.get(sessionId)?.limit !== undefined || sessions.get(sessionId)?.continuesAt !== undefined);
  const isInLine = useApp(({ sessions }) => sessions.get(sessionId)?.placeInLine !== undefined);
  return (
    <SessionSelection sessionId={sessionId}>
      <TextBoundary of={isOpen} text={() => 'The transcript can’t be shown. Reload the page to try again.'}>
        {isOpen ? <TranscriptView sessionId={sessionId} /> : <TranscriptLoading />}
      </TextBoundary>
      <div className="session-foot">
        <EarlierRequests sessionId={sessionId} />
        <MissingFileBar sessionId={sessionId} />
        <OpenElsewhereBar sessionId={sessionId} />
        {isInLine && (
          <Suspense>
            <LineBar sessionId={sessionId} />
          </Suspense>
        )}
        {isLimited && (
          <Suspense>
            <LimitBar sessionId={sessionId} />
          </Suspense>
        )}
        <TextBoundary of={sessionId} text={() => 'The to-do list can’t be shown. The transcript has the calls that changed it.'}>
          <TodoStrip sessionId={sessionId} />
        </TextBoundary>
        {beforeComposer}
        <Composer sessionId={sessionId} />
      </div>
    </SessionSelection>
  );
}

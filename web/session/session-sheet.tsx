import { useApp } from '../app/cockpit-context.ts';
import { Composer } from '../composer/composer.tsx';
import { DriverBar } from './driver-bar.tsx';
import { EarlierRequests } from './earlier-requests.tsx';
import { LimitBar } from './limit-bar.tsx';
import { PastBar } from './past-bar.tsx';
import { TodoStrip } from './todo-strip.tsx';
import { TranscriptView } from './transcript-view.tsx';

/** What a session says, what stands between it and a person, and where to write to it: alone on a page or in a tile. */
export function SessionSheet({ sessionId }: { readonly sessionId: string }) {
  const isOpen = useApp((state) => state.open.has(sessionId));
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

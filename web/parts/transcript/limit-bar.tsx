import { Timer } from 'lucide-react';
import { limitText } from '../../../src/domain/limit-text.ts';
import { countdownText, momentText } from '../../base/text/format.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** The limit in force, when it resets, and whether the session resumes automatically after that. */
export default function LimitBar({ sessionId }: { readonly sessionId: string }) {
  const cockpit = useCockpit();
  const limit = useApp((state) => state.sessions.get(sessionId)?.limit);
  const continuesAt = useApp((state) => state.sessions.get(sessionId)?.continuesAt);
  const isReached = limit !== undefined && limit.status !== 'allowed' && !limit.status.includes('warning');
  return (
    <section className={isReached ? 'limit-bar reached' : 'limit-bar'} aria-label="Limit">
      <Timer size={15} aria-hidden="true" />
      {limit !== undefined && (
        <span>
          {limitText(limit.kind, !isReached)}
          {limit.resetsAt !== undefined && <Countdown at={limit.resetsAt} over=", should have reset by now" before=", resets in " />}
        </span>
      )}
      {continuesAt !== undefined ? (
        <>
          <span>
            Resumes automatically at {momentText(continuesAt)}
            <Countdown at={continuesAt} over=", any moment now" before=", in " />
          </span>
          <button type="button" className="button" onClick={() => void cockpit.cancelAutomaticResume(sessionId)}>
            Cancel
          </button>
        </>
      ) : (
        isReached &&
        limit.resetsAt !== undefined && (
          <button type="button" className="button" onClick={() => void cockpit.resumeAutomatically(sessionId)}>
            Resume automatically
          </button>
        )
      )}
    </section>
  );
}

interface CountdownProps {
  readonly at: string;
  readonly before: string;
  readonly over: string;
}

function Countdown({ at, before, over }: CountdownProps) {
  const left = useApp((state) => Math.ceil((Date.parse(at) - state.now) / 1000));
  return (
    <time className="countdown" dateTime={at} title={new Date(at).toLocaleString()}>
      {left <= 0 ? over : `${before}${countdownText(left)}`}
    </time>
  );
}

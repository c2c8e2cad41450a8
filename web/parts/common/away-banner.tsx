import { MonitorOff } from 'lucide-react';
import { clockText } from '../../base/text/format.ts';
import { useApp } from '../../store/cockpit-context.ts';

/** The session's machine can't be reached: what is shown is what was last known. */
export function AwayBanner({ sessionId }: { readonly sessionId: string }) {
  const at = useApp((state) => state.sessions.get(sessionId)?.lastKnown?.at);
  const name = useApp((state) => state.sessions.get(sessionId)?.hostname);
  return (
    <div className="away-banner" role="status">
      {at !== undefined && (
        <p>
          <MonitorOff size={14} aria-hidden="true" />
          <span>
            {name} is offline. Last known at {clockText(at)}. Messages are saved in this browser and sent when {name} is back.
          </span>
        </p>
      )}
    </div>
  );
}

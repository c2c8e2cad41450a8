import { useMemo } from 'react';
import { wholeSeconds } from '../../base/text/format.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { activityNow } from '../../store/state/app-state.ts';

/** Below the last row while a turn runs: shows that the agent is working and for how long, even when it writes nothing. Without a connection it stops at the last known time. */
export function WorkingIndicator({ sessionId }: { readonly sessionId: string }) {
  const status = useApp((state) => state.sessions.get(sessionId)?.status);
  const events = useApp((state) => state.open.get(sessionId)?.transcript.events);
  const before = useApp((state) => state.open.get(sessionId)?.turnStart);
  const started = useMemo(() => events?.findLast(({ type }) => type === 'turn.started') ?? before, [events, before]);
  const seconds = useApp((state) => (started === undefined ? 0 : Math.floor((activityNow(state) - Date.parse(started.at)) / 1000)));
  const isConnected = useApp((state) => state.disconnectedSince === undefined);
  // The glow follows the page's own clock, in every lamp at once: a CSS animation would repaint the page many times a second for as long as any agent runs.
  const isGlowing = useApp((state) => state.disconnectedSince === undefined && Math.floor(state.now / 1000) % 2 === 0);
  const isInLine = useApp((state) => state.sessions.get(sessionId)?.placeInLine !== undefined);
  if (isInLine) return null;
  const hasDuration = status === 'busy' && started !== undefined && started.atKnown !== false && seconds > 0;
  const text = TEXTS[status === 'starting' ? 'starting' : 'busy'][isConnected ? 'connected' : 'offline'];
  return (
    <p className="working-sign">
      <span className={isGlowing ? 'sign sign-live' : 'sign sign-live without-glow'} aria-hidden="true" />
      {text}
      {hasDuration && `${isConnected ? ' ' : ', '}${wholeSeconds(seconds)}`}
    </p>
  );
}

const TEXTS = {
  starting: { connected: 'Starting the agent…', offline: 'Offline. Last known: starting' },
  busy: { connected: 'Working…', offline: 'Offline. Last known: working' },
} as const;

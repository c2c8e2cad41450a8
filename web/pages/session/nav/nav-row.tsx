import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { Session } from '../../../../src/protocol/session.ts';
import { lampOf, wordOf } from '../../../base/ui/lamp.ts';
import { LampIcon } from '../../../base/ui/lamp-icon.tsx';
import { sessionLine } from '../../../parts/common/session-line.ts';
import { UnreadDot } from '../../../parts/common/unread-dot.tsx';
import { useUnread } from '../../../parts/common/use-unread.ts';
import { baseTime, shiftAt } from '../../../parts/track/scale.ts';
import { TrackLine } from '../../../parts/track/track-line.tsx';
import { useApp } from '../../../store/cockpit-context.ts';
import { panelNow } from '../../../store/state/app-state.ts';

interface NavRowProps {
  readonly session: Session;
  readonly isOpen: boolean;
  readonly isTabStop: boolean;
  readonly onChoose: (() => void) | undefined;
}

export const NavRow = memo(function NavRow({ session, isOpen, isTabStop, onChoose }: NavRowProps) {
  const lamp = lampOf(session);
  const isUnread = useUnread(session);
  return (
    <Link
      to="/s/$sessionId"
      params={{ sessionId: session.id }}
      className={`nav-row state-${lamp.shape}${isUnread ? ' unread' : ''}`}
      aria-current={isOpen ? 'page' : undefined}
      tabIndex={isTabStop ? 0 : -1}
      title={`${session.title}\n${sessionLine(session)}`}
      onClick={onChoose}
    >
      <LampIcon shape={lamp.shape} />
      <span className="nav-title">
        {session.title}
        <span className="unseen">, {wordOf(lamp, isUnread)}</span>
      </span>
      <span className="nav-end">
        <ShortTrack sessionId={session.id} />
        {isUnread && <UnreadDot />}
      </span>
    </Link>
  );
});

const WIDTH_PX = 56;
const WINDOW_MS = 10 * 60_000;
/** It moves by whole pixels. */
const STEP_MS = WINDOW_MS / WIDTH_PX;

/** What the session did in the last ten minutes. */
function ShortTrack({ sessionId }: { readonly sessionId: string }) {
  const track = useApp((state) => state.panel.tracks.get(sessionId));
  const now = useApp((state) => Math.floor(panelNow(state) / STEP_MS) * STEP_MS);
  if (track === undefined) return null;
  const scale = { base: baseTime(now), windowMs: WINDOW_MS, width: WIDTH_PX };
  return (
    <svg className="plan nav-track" width={WIDTH_PX} height={20} aria-hidden="true">
      <g transform={`translate(${shiftAt(scale, now, 1)} 0)`}>
        <TrackLine track={track} scale={scale} y={11} />
      </g>
    </svg>
  );
}

import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { activityOf } from '../../../../src/domain/panel/activity.ts';
import { agoText } from '../../../base/text/format.ts';
import { lampOf, type Shape, wordOf } from '../../../base/ui/lamp.ts';
import { LampIcon } from '../../../base/ui/lamp-icon.tsx';
import { useApp } from '../../../store/cockpit-context.ts';
import { isUnreadIn } from '../../../store/sessions/unread.ts';
import { panelNow } from '../../../store/state/app-state.ts';
import type { Line } from './lines.ts';

/** Everything a row shows. A session changes with every event, its row rarely. */
interface PanelRowProps {
  readonly sessionId: string;
  readonly title: string;
  readonly agent: string;
  readonly shape: Shape;
  readonly word: string;
  /** Unset if nothing is known about what it did. */
  readonly since: number | undefined;
}

export function panelRowProps({ session, track }: Line): PanelRowProps {
  const { id, title, agent } = session;
  const since = track === undefined ? undefined : activityOf(track).since;
  return { sessionId: id, title, agent, since, ...lampOf(session) };
}

/** The label beside a track: title, agent, and how long it has been in its state. */
export const PanelRow = memo(function PanelRow({ sessionId, title, agent, shape, word, since }: PanelRowProps) {
  const agentTitle = useApp((state) => state.agents?.find(({ id }) => id === agent)?.title ?? agent);
  const isUnread = useApp((state) => isUnreadIn(state, state.sessions.get(sessionId)));
  const shown = wordOf({ shape, word }, isUnread);
  const age = useApp((state) => (since === undefined ? 'now' : agoText(panelNow(state) - since)));
  return (
    <li className={`panel-row state-${shape}`}>
      <Link to="/s/$sessionId" params={{ sessionId }} draggable={false}>
        <LampIcon shape={shape} />
        <span className="panel-title">{title}</span>
        <span className="panel-label">
          <span className="panel-agent">{agentTitle} · </span>
          <span className="panel-age">{age === 'now' ? shown : `${shown} ${age}`}</span>
        </span>
      </Link>
    </li>
  );
});

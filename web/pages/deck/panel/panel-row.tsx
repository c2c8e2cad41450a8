import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { standingOf } from '../../../../src/domain/panel/standing.ts';
import { lampOf, type Shape } from '../../../base/ui/lamp.ts';
import { LampIcon } from '../../../base/ui/lamp-icon.tsx';
import { agoText } from '../../../base/words/words.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { panelNow } from '../../../store/state/app-state.ts';
import type { Line } from './lines.ts';

/** All that a row shows: a session changes with every event, its row seldom. */
interface Face {
  readonly sessionId: string;
  readonly title: string;
  readonly agent: string;
  readonly shape: Shape;
  readonly word: string;
  readonly since: number;
}

export function faceOf({ session, track }: Line): Face {
  const { id, title, agent } = session;
  const since = track === undefined ? Date.parse(session.createdAt) : standingOf(track).since;
  return { sessionId: id, title, agent, since, ...lampOf(session) };
}

/** What stands beside a track: whose it is, and what it does for how long. */
export const PanelRow = memo(function PanelRow({ sessionId, title, agent, shape, word, since }: Face) {
  const agentTitle = useApp((state) => state.agents?.find(({ id }) => id === agent)?.title ?? agent);
  const age = useApp((state) => agoText(panelNow(state) - since));
  return (
    <li className={`panel-row state-${shape}`}>
      <Link to="/s/$sessionId" params={{ sessionId }} draggable={false}>
        <LampIcon shape={shape} />
        <span className="panel-title">{title}</span>
        <span className="panel-label">
          <span className="panel-agent">{agentTitle} · </span>
          <span className="panel-age">{age === 'now' ? word : `${word} ${age}`}</span>
        </span>
      </Link>
    </li>
  );
});

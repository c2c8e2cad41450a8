import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { standingOf } from '../../src/domain/panel/standing.ts';
import type { Session } from '../../src/protocol/session.ts';
import { useApp } from '../app/cockpit-context.ts';
import { lampOf } from '../ui/lamp.ts';
import { LampIcon } from '../ui/lamp-icon.tsx';
import { agoText } from '../ui/words.ts';
import type { Line } from './lines.ts';

/** What stands beside a track: whose it is, and what it does for how long. */
export const PanelRow = memo(function PanelRow({ line: { session, track } }: { readonly line: Line }) {
  const lamp = lampOf(session);
  const agent = useApp((state) => state.agents?.find(({ id }) => id === session.agent)?.title ?? session.agent);
  const since = track === undefined ? Date.parse(session.updatedAt) : standingOf(track).since;
  const age = useApp((state) => agoText(state.now + state.panel.aheadMs - since));
  return (
    <li className={`panel-row state-${lamp.shape}`}>
      <Link to="/s/$sessionId" params={{ sessionId: session.id }} draggable={false}>
        <LampIcon shape={lamp.shape} />
        <span className="panel-title">{session.title}</span>
        <span className="panel-label">
          <span className="panel-agent">{agent} · </span>
          <span className="panel-age">{labelOf(session, lamp.word, age)}</span>
        </span>
      </Link>
    </li>
  );
});

/** What runs says only for how long; everything else is said in a word. */
function labelOf({ status, waiting }: Session, word: string, age: string): string {
  if (waiting > 0 || status === 'waiting') return age === 'now' ? 'waits now' : `${age} waiting`;
  if (status === 'busy') return age === 'now' ? 'running' : age;
  return age === 'now' ? word : `${word} ${age}`;
}

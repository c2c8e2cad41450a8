import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { activityOf } from '../../../../src/domain/panel/activity.ts';
import { agoText } from '../../../base/text/format.ts';
import { lampOf, type Shape, wordOf } from '../../../base/ui/lamp.ts';
import { LampIcon } from '../../../base/ui/lamp-icon.tsx';
import { planSign } from '../../../parts/plans/signs.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { isUnreadIn } from '../../../store/sessions/unread.ts';
import { panelNow } from '../../../store/state/app-state.ts';
import type { Line } from './lines.ts';

/** Everything a row shows. A session changes with every event, its row rarely. */
interface PanelRowProps {
  readonly id: string;
  readonly title: string;
  /** Of a session. */
  readonly agent: string | undefined;
  /** Of a plan. */
  readonly progress: string | undefined;
  readonly shape: Shape;
  readonly word: string;
  /** Unset if nothing is known about what it did. */
  readonly since: number | undefined;
}

export function panelRowProps(line: Line): PanelRowProps {
  const { id, track } = line;
  if ('plan' in line) {
    const { title, status, gates, proposals, paused, counts, nodes } = line.plan;
    const sign = planSign({ status, waiting: gates + proposals, isOutOfBudget: paused === 'budget' });
    return { id, title, agent: undefined, progress: `${(counts.done ?? 0) + (counts.skipped ?? 0)} of ${nodes} steps`, since: undefined, ...sign };
  }
  const { title, agent } = line.session;
  const since = track === undefined ? undefined : activityOf(track).since;
  return { id, title, agent, progress: undefined, since, ...lampOf(line.session) };
}

/** The label beside a track: title, agent, and how long it has been in its state. */
export const PanelRow = memo(function PanelRow({ id, title, agent, progress, shape, word, since }: PanelRowProps) {
  const agentTitle = useApp((state) => state.agents?.find((known) => known.id === agent)?.title ?? agent);
  const isUnread = useApp((state) => isUnreadIn(state, state.sessions.get(id)));
  const shown = wordOf({ shape, word }, isUnread);
  const age = useApp((state) => (since === undefined ? 'now' : agoText(panelNow(state) - since)));
  return (
    <li className={progress === undefined ? `panel-row state-${shape}` : `panel-row panel-plan state-${shape}`}>
      {/* The address of a plan's stream leads to the plan. */}
      <Link to="/s/$sessionId" params={{ sessionId: id }} draggable={false}>
        <LampIcon shape={shape} />
        <span className="panel-title">{title}</span>
        <span className="panel-label">
          <span className="panel-agent">{progress ?? agentTitle} · </span>
          <span className="panel-age">{age === 'now' ? shown : `${shown} ${age}`}</span>
        </span>
      </Link>
    </li>
  );
});

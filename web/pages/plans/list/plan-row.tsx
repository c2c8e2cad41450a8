import { Link } from '@tanstack/react-router';
import { memo, useEffect, useRef } from 'react';
import type { PlanSummary } from '../../../../src/protocol/api/plan.ts';
import { costText, countText, durationText } from '../../../base/text/format.ts';
import { LampIcon } from '../../../base/ui/lamp-icon.tsx';
import { VisibleLine } from '../../../base/ui/visible-text.tsx';
import { Ago } from '../../../parts/common/ago.tsx';
import { planSign } from '../../../parts/plans/signs.ts';
import { StepMeter } from '../../../parts/plans/step-meter.tsx';
import { useApp } from '../../../store/cockpit-context.ts';

/** One plan: lamp, title, progress, what needs people, agents, cost and time. */
export const PlanRow = memo(function PlanRow({ plan, isChosen }: { readonly plan: PlanSummary; readonly isChosen: boolean }) {
  const { id, title, status, cwd, agents, nodes, counts, gates, proposals, spent, paused, updatedAt } = plan;
  const sign = planSign({ status, waiting: gates + proposals, isOutOfBudget: paused === 'budget' });
  const titles = useApp((state) => agents.map((agent) => state.agents?.find((known) => known.id === agent)?.title ?? agent).join(', '));
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isChosen && link.current !== document.activeElement) link.current?.focus();
  }, [isChosen]);
  const waits = [
    ...(gates > 0 ? [`${countText(gates, 'step')} ${gates === 1 ? 'waits' : 'wait'}`] : []),
    ...(proposals > 0 ? [countText(proposals, 'proposal')] : []),
  ];
  return (
    <li className={`plan-row state-${sign.shape}`}>
      <Link ref={link} to="/plans/$planId" params={{ planId: id }} data-plan={id} aria-current={isChosen ? 'true' : undefined}>
        <LampIcon shape={sign.shape} />
        <span className="row-main">
          <span className="row-title">
            <VisibleLine text={title} />
          </span>
          <span className="row-line">
            {cwd.split('/').at(-1)}
            {titles !== '' && ` · ${titles}`}
            {waits.length > 0 && <span className="plan-row-waits"> · {waits.join(', ')}</span>}
          </span>
        </span>
        <StepMeter counts={counts} nodes={nodes} />
        <span className="plan-row-cost">{spent.turns === 0 ? '' : spent.unknown && spent.usd === 0 ? 'cost unknown' : costText(spent.usd)}</span>
        <span className="plan-row-time">{spent.ms === 0 ? '' : durationText(spent.ms)}</span>
        <span className="row-state">
          <span className="row-word">{sign.word}</span> <Ago at={updatedAt} />
        </span>
      </Link>
    </li>
  );
});

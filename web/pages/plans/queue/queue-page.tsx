import { Link } from '@tanstack/react-router';
import { ChevronLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { PlanQueue } from '../../../../src/protocol/api/plan.ts';
import { clockText, countText } from '../../../base/text/format.ts';
import { LampIcon } from '../../../base/ui/lamp-icon.tsx';
import { VisibleLine } from '../../../base/ui/visible-text.tsx';
import { createPlanApi } from '../../../client/http/plan-api.ts';
import { Ago } from '../../../parts/common/ago.tsx';
import { stepSign } from '../../../parts/plans/signs.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import '../list/plans.css';
import './queue.css';

/** Every step that runs, waits or comes next, of all plans, with the reason. */
export default function QueuePage() {
  const { queue, problem } = useQueue();
  return (
    <main className="plans">
      <header className="page-head">
        <Link to="/plans" className="icon-button" aria-label="All plans">
          <ChevronLeft size={18} aria-hidden="true" />
        </Link>
        <h1>Queue of all plans</h1>
        <p className="page-summary" role="status">
          {queue !== undefined && countsText(queue.counts)}
        </p>
      </header>
      <div className="plans-body">
        <div role="alert">{problem !== undefined && <p className="form-problem">{problem}</p>}</div>
        {queue === undefined && problem === undefined && <p className="quiet">Loading…</p>}
        {queue?.nodes.length === 0 && <p className="quiet">No plan is running.</p>}
        <ol className="plan-queue">
          {queue?.nodes.map((node) => (
            <QueueRow key={`${node.planId} ${node.nodeId}`} node={node} />
          ))}
        </ol>
      </div>
    </main>
  );
}

function QueueRow({ node: { planId, planTitle, nodeId, title, position, status, waitsFor, since } }: { readonly node: PlanQueue['nodes'][number] }) {
  const sign = waitsFor?.kind === 'person' ? stepSign('waiting') : stepSign(status);
  return (
    <li className={`state-${sign.shape}`}>
      <Link to="/plans/$planId" params={{ planId }} search={{ step: nodeId }}>
        <span className="queue-number">{position}</span>
        <LampIcon shape={sign.shape} />
        <span className="row-main">
          <span className="row-title">
            <VisibleLine text={title} />
          </span>
          <span className="row-line">
            <VisibleLine text={planTitle} />
          </span>
        </span>
        <span className="queue-why">
          {waitsFor !== undefined && <VisibleLine text={waitsFor.words} />}
          {waitsFor?.until !== undefined && ` until ${clockText(waitsFor.until)}`}
        </span>
        <span className="row-state">
          <span className="row-word">{sign.word}</span> <Ago at={since} />
        </span>
      </Link>
    </li>
  );
}

const countsText = ({ running, ready, waiting }: PlanQueue['counts']): string =>
  [`${running} running`, `${ready} ready`, ...(waiting > 0 ? [`${countText(waiting, 'step')} ${waiting === 1 ? 'needs' : 'need'} you`] : [])].join(', ');

/** Asked again when a plan or one of its sessions says that it changed. */
function useQueue(): { readonly queue?: PlanQueue; readonly problem?: string } {
  const [api] = useState(() => createPlanApi(document.baseURI));
  const [state, setState] = useState<{ readonly queue?: PlanQueue; readonly problem?: string }>({});
  const news = useApp((app) => app.planNews);
  const sessions = useApp((app) => stepStates(app.sessions.values()));
  const isConnected = useApp((app) => app.phase.name === 'open');
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are the reasons to ask again
  useEffect(() => {
    let isOld = false;
    api.queue().then(
      (queue) => isOld || setState({ queue }),
      (error: unknown) => isOld || setState((before) => ({ ...before, problem: error instanceof Error ? error.message : String(error) })),
    );
    return () => {
      isOld = true;
    };
  }, [api, news, sessions, isConnected]);
  return state;
}

/** What the reasons depend on besides the plans. */
function stepStates(
  sessions: Iterable<{ readonly id: string; readonly plan?: object | undefined; readonly waiting: number; readonly placeInLine?: number | undefined }>,
): string {
  return [...sessions].flatMap(({ id, plan, waiting, placeInLine }) => (plan === undefined ? [] : [`${id} ${waiting} ${placeInLine}`])).join();
}

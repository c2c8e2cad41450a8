import { Ellipsis, Play } from 'lucide-react';
import { exhausted } from '../../../../src/domain/plan/budget.ts';
import { useActions } from '../../../base/actions/actions-context.ts';
import { PopupMenu } from '../../../base/ui/popup-menu.tsx';
import { newId } from '../../../client/new-id.ts';
import { useDownload } from '../../../parts/common/use-download.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { usePlanPage } from './steps/plan-context.ts';
import { useAct } from './steps/use-act.ts';

/** Start, pause, resume, cancel; and in the menu what is needed less often. */
export function PlanActions() {
  const { plan, api, mayAct, openForm } = usePlanPage();
  const cockpit = useCockpit();
  const isOwner = useApp(({ you }) => you?.role === 'owner');
  const download = useDownload();
  const { isBusy, run } = useAct();
  const attempt = (work: () => Promise<unknown>) =>
    run(() => work().catch((error: unknown) => cockpit.showNotice('error', error instanceof Error ? error.message : String(error))));
  const act = (verb: 'start' | 'pause' | 'resume') => void attempt(() => api.act(plan.id, verb, newId()));
  const { status } = plan;
  const isOver = status === 'done' || status === 'failed' || status === 'cancelled';
  const isOutOfBudget = exhausted(plan).length > 0;
  const when = (isPossible: boolean, run: () => void) => (mayAct && isPossible ? run : undefined);
  useActions({
    'plan.start': when(status === 'draft' && plan.nodes.length > 0, () => act('start')),
    'plan.pause': when(status === 'running', () => act('pause')),
    'plan.resume': when(status === 'paused' && !isOutOfBudget, () => act('resume')),
    'plan.add': when(status !== 'cancelled', () => openForm({ kind: 'add', needs: [] })),
    'plan.generate': when(status !== 'cancelled', () => openForm({ kind: 'generate' })),
    'plan.settings': when(status !== 'cancelled', () => openForm({ kind: 'settings' })),
  });
  return (
    <div className="plan-actions">
      {mayAct && status === 'draft' && (
        <button type="button" className="button primary" disabled={isBusy || plan.nodes.length === 0} onClick={() => act('start')}>
          <Play size={14} aria-hidden="true" />
          Start
        </button>
      )}
      {mayAct && status === 'running' && (
        <button type="button" className="button" disabled={isBusy} onClick={() => act('pause')}>
          Pause
        </button>
      )}
      {mayAct && status === 'paused' && !isOutOfBudget && (
        <button type="button" className="button primary" disabled={isBusy} onClick={() => act('resume')}>
          Resume
        </button>
      )}
      {mayAct && status === 'paused' && isOutOfBudget && (
        <button type="button" className="button primary" onClick={() => openForm({ kind: 'settings' })}>
          Raise the budget…
        </button>
      )}
      <PopupMenu label="More about this plan" className="icon-button" trigger={<Ellipsis size={18} aria-hidden="true" />}>
        {mayAct && status !== 'cancelled' && (
          <button type="button" onClick={() => openForm({ kind: 'add', needs: [] })}>
            Add a step…
          </button>
        )}
        {mayAct && (
          <button type="button" onClick={() => openForm({ kind: 'generate' })}>
            Generate steps…
          </button>
        )}
        {mayAct && (
          <button type="button" onClick={() => openForm({ kind: 'settings' })}>
            Budget and defaults…
          </button>
        )}
        <button type="button" onClick={() => download(`api/plans/${plan.id}/export`)}>
          Export
        </button>
        {mayAct && !isOver && status !== 'draft' && (
          <button type="button" onClick={() => openForm({ kind: 'cancel' })}>
            Cancel the plan…
          </button>
        )}
        {isOwner && (isOver || status === 'draft') && (
          <button type="button" onClick={() => openForm({ kind: 'delete' })}>
            Delete the plan…
          </button>
        )}
      </PopupMenu>
    </div>
  );
}

import { useState } from 'react';
import * as z from 'zod/mini';
import { Dialog } from '../../../../base/ui/dialog.tsx';
import { useFormDraft } from '../../../../parts/common/use-form-draft.ts';
import { AgentSelect } from '../../../../parts/plans/agent-select.tsx';
import { usePlanPage } from '../steps/plan-context.ts';
import { useAct } from '../steps/use-act.ts';

const Task = z.string();

/** Asks an agent for steps. It proposes them; nothing runs until the plan is started. */
export function GenerateDialog({ onClose }: { readonly onClose: () => void }) {
  const { plan, api } = usePlanPage();
  const [task, setTask] = useFormDraft(`plan-task:${plan.id}`, Task, '');
  const [agent, setAgent] = useState(plan.head.defaults?.agent ?? '');
  const { isBusy, problem, run } = useAct();
  const submit = () =>
    run(() => api.generate(plan.id, task, agent)).then((isDone) => {
      if (!isDone) return;
      setTask('');
      onClose();
    });
  return (
    <Dialog title="Generate steps" onClose={onClose}>
      <form className="new-form" action={() => void submit()}>
        <label className="field">
          <span>Task</span>
          <textarea data-first rows={5} value={task} placeholder="What should be done?" onChange={(event) => setTask(event.target.value)} />
        </label>
        <AgentSelect label="Agent that plans it" any="The plan’s agent" value={agent} onChange={setAgent} />
        <p className="quiet form-hint">
          {plan.nodes.length === 0 ? 'Nothing runs until you press Start.' : 'Its steps come as a proposal that you can look at first.'}
        </p>
        {problem !== '' && (
          <p className="form-problem" role="alert">
            {problem}
          </p>
        )}
        <footer className="dialog-foot">
          <button type="submit" className="button primary" disabled={isBusy || task.trim() === ''}>
            Generate
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useMemo, useState } from 'react';
import type { PlanSummary } from '../../../../src/protocol/api/plan.ts';
import { CommandId } from '../../../../src/protocol/ids.ts';
import { messageOf } from '../../../base/text/message-of.ts';
import { Dialog } from '../../../base/ui/dialog.tsx';
import { createPlanApi } from '../../../client/http/plan-api.ts';
import { newId } from '../../../client/new-id.ts';
import { FolderField } from '../../../parts/common/folder-field.tsx';
import { useFormDraft } from '../../../parts/common/use-form-draft.ts';
import { AgentSelect } from '../../../parts/plans/agent-select.tsx';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { defaultAgent, recentFolders } from '../../../store/sessions/deck.ts';
import { bodyOf, FRESH_PLAN, isComplete, NewPlanForm } from './new-plan-form.ts';

interface NewPlanDialogProps {
  readonly plans: readonly PlanSummary[];
  readonly onClose: () => void;
}

const WAYS = {
  task: 'An agent plans a task',
  copy: 'A copy of another plan',
  empty: 'Empty',
} as const;

/** A new plan. Nothing runs until it is started. */
export default function NewPlanDialog({ plans, onClose }: NewPlanDialogProps) {
  const cockpit = useCockpit();
  const navigate = useNavigate();
  const [api] = useState(() => createPlanApi(document.baseURI));
  const [commandId] = useState(newId);
  const defaults = useDefaults();
  const [saved, save] = useFormDraft('new-plan', NewPlanForm, FRESH_PLAN);
  const form: NewPlanForm = { ...defaults, ...saved };
  const [problem, setProblem] = useState('');
  const [isSending, setSending] = useState(false);
  useEffect(() => void cockpit.loadAgents(), [cockpit]);
  const change = (fields: Partial<NewPlanForm>) => save({ ...saved, ...fields });
  const create = async () => {
    setSending(true);
    setProblem('');
    try {
      const file = form.way === 'copy' ? await api.file(form.source) : undefined;
      const plan = await api.create({ ...bodyOf(form, file), commandId: CommandId.parse(commandId) });
      // The draft is there whatever the agent says; its page can ask again.
      if (form.way === 'task') await api.generate(plan.id, form.task, form.agent).catch((error: unknown) => cockpit.showNotice('error', messageOf(error)));
      save(FRESH_PLAN);
      onClose();
      await navigate({ to: '/plans/$planId', params: { planId: plan.id } });
    } catch (error) {
      setProblem(messageOf(error));
      setSending(false);
    }
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && isComplete(form) && !isSending) void create();
  };
  return (
    <Dialog title="New plan" onClose={onClose}>
      <form className="new-form" action={() => void create()} onKeyDown={onKey}>
        <fieldset className="way-choice">
          <legend className="unseen">How it starts</legend>
          {(Object.keys(WAYS) as (keyof typeof WAYS)[])
            .filter((way) => way !== 'copy' || plans.length > 0)
            .map((way) => (
              <label key={way}>
                <input type="radio" name="way" checked={form.way === way} onChange={() => change({ way })} />
                {WAYS[way]}
              </label>
            ))}
        </fieldset>
        {form.way === 'task' && (
          <label className="field">
            <span>Task</span>
            <textarea data-first rows={5} value={form.task} placeholder="What should be done?" onChange={(event) => change({ task: event.target.value })} />
          </label>
        )}
        {form.way === 'copy' && (
          <label className="field">
            <span>Plan</span>
            <select value={form.source} onChange={(event) => change({ source: event.target.value })}>
              <option value="">Choose one</option>
              {plans.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        )}
        <label className="field">
          <span>{form.way === 'empty' ? 'Title' : 'Title (optional)'}</span>
          <input value={form.title} maxLength={200} onChange={(event) => change({ title: event.target.value })} />
        </label>
        <FolderField value={form.cwd ?? ''} onChange={(cwd) => change({ cwd })} />
        {form.way !== 'copy' && (
          <AgentSelect
            label={form.way === 'task' ? 'Agent that plans it, and does steps without another one' : 'Agent'}
            any="None"
            value={form.agent ?? ''}
            onChange={(agent) => change({ agent })}
          />
        )}
        <label className="field">
          <span>Budget in US dollars (optional)</span>
          <input inputMode="decimal" value={form.usd} onChange={(event) => change({ usd: event.target.value })} />
        </label>
        {problem !== '' && (
          <p className="form-problem" role="alert">
            {problem}
          </p>
        )}
        <footer className="dialog-foot">
          <button type="submit" className="button primary" disabled={isSending || !isComplete(form)}>
            {isSending ? 'Creating…' : form.way === 'task' ? 'Generate' : 'Create'}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** The last folder and agent. */
function useDefaults(): Pick<NewPlanForm, 'cwd' | 'agent'> {
  const agent = useApp((state) => defaultAgent(state.sessions.values(), state.agents ?? []));
  const lastFolder = useApp((state) => recentFolders(state.sessions.values(), 1)[0]);
  const firstRoot = useApp((state) => (state.folders?.path === undefined ? state.folders?.folders[0]?.path : undefined));
  return useMemo(() => {
    const cwd = lastFolder ?? firstRoot;
    return { ...(cwd !== undefined && { cwd }), ...(agent !== undefined && { agent }) };
  }, [agent, lastFolder, firstRoot]);
}

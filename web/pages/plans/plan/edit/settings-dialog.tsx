import { useState } from 'react';
import * as z from 'zod/mini';
import { PlanHead, PlanOps } from '../../../../../src/protocol/plan.ts';
import { PERMISSION_MODES } from '../../../../base/text/format.ts';
import { Dialog } from '../../../../base/ui/dialog.tsx';
import { newId } from '../../../../client/new-id.ts';
import { useFormDraft } from '../../../../parts/common/use-form-draft.ts';
import { AgentSelect } from '../../../../parts/plans/agent-select.tsx';
import { usePlanPage } from '../steps/plan-context.ts';
import { useAct } from '../steps/use-act.ts';

const Form = z.readonly(
  z.object({
    title: z.string(),
    goal: z.string(),
    usd: z.string(),
    minutes: z.string(),
    turns: z.string(),
    parallel: z.string(),
    agent: z.string(),
    model: z.string(),
    permissionMode: z.string(),
  }),
);
type Form = z.infer<typeof Form>;

/** Title, goal, budget and defaults of a plan. Applied at once: they change no step. */
export function SettingsDialog({ onClose }: { readonly onClose: () => void }) {
  const { plan, api } = usePlanPage();
  const [fresh] = useState(() => formOf(plan.head));
  const [form, save] = useFormDraft(`plan-settings:${plan.id}`, Form, fresh);
  const [commandId, setCommandId] = useState(newId);
  const { isBusy, problem, run } = useAct();
  const change = (fields: Partial<Form>) => save({ ...form, ...fields });
  const close = () => {
    save(fresh);
    onClose();
  };
  const submit = async () => {
    const isDone = await run(async () => {
      const set = headOf(form);
      if (JSON.stringify(set) === JSON.stringify(headOf(fresh))) return;
      await api.ops(plan.id, plan.revision, PlanOps.parse([{ op: 'set', set }]), { commandId });
    });
    setCommandId(newId());
    if (isDone) close();
  };
  return (
    <Dialog title="Budget and defaults" onClose={close}>
      <form className="new-form" action={() => void submit()}>
        <Field label="Title" value={form.title} onChange={(title) => change({ title })} />
        <fieldset className="budget-fields">
          <legend>Budget: the plan pauses when one of these is used up</legend>
          <Field label="US dollars" isFirst isNumber value={form.usd} onChange={(usd) => change({ usd })} />
          <Field label="Minutes of work" isNumber value={form.minutes} onChange={(minutes) => change({ minutes })} />
          <Field label="Turns" isNumber value={form.turns} onChange={(turns) => change({ turns })} />
        </fieldset>
        <p className="quiet form-hint">Agents that don’t report prices count as zero dollars. Minutes and turns count for all of them.</p>
        <div className="option-grid">
          <AgentSelect label="Agent of steps without one" any="None" value={form.agent} onChange={(agent) => change({ agent })} />
          <Field label="Model" value={form.model} onChange={(model) => change({ model })} />
          <label className="field">
            <span>Permissions</span>
            <select value={form.permissionMode} onChange={(event) => change({ permissionMode: event.target.value })}>
              <option value="">The agent’s default</option>
              {PERMISSION_MODES.map(([mode, text]) => (
                <option key={mode} value={mode}>
                  {text}
                </option>
              ))}
            </select>
          </label>
          <Field label="Steps at once" isNumber value={form.parallel} onChange={(parallel) => change({ parallel })} />
        </div>
        <label className="field">
          <span>Goal</span>
          <textarea rows={3} value={form.goal} onChange={(event) => change({ goal: event.target.value })} />
        </label>
        {problem !== '' && (
          <p className="form-problem" role="alert">
            {problem}
          </p>
        )}
        <footer className="dialog-foot">
          <button type="submit" className="button primary" disabled={isBusy}>
            Save
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

const textOf = (value: number | undefined): string => (value === undefined ? '' : String(value));

const formOf = ({ title, goal = '', budget, parallel, defaults }: PlanHead): Form => ({
  title,
  goal,
  usd: textOf(budget?.usd),
  minutes: textOf(budget?.minutes),
  turns: textOf(budget?.turns),
  parallel: textOf(parallel),
  agent: defaults?.agent ?? '',
  model: defaults?.model ?? '',
  permissionMode: defaults?.permissionMode ?? '',
});

/** An empty field has no limit, or the server's default. Throws if a number is not one. */
function headOf({ title, goal, usd, minutes, turns, parallel, agent, model, permissionMode }: Form): PlanHead {
  const read = PlanHead.safeParse({
    title,
    goal,
    budget: filled({ usd: numberOf(usd), minutes: numberOf(minutes), turns: numberOf(turns) }),
    ...filled({ parallel: numberOf(parallel) }),
    defaults: filled({ agent, model, permissionMode }),
  });
  if (!read.success) throw new Error('A title is needed, and every number must be above zero.');
  return read.data;
}

const numberOf = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text));
const filled = (fields: Readonly<Record<string, string | number | undefined>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly isNumber?: boolean;
  readonly isFirst?: boolean;
  readonly onChange: (value: string) => void;
}

const Field = ({ label, value, isNumber = false, isFirst = false, onChange }: FieldProps) => (
  <label className="field">
    <span>{label}</span>
    <input
      value={value}
      data-first={isFirst ? true : undefined}
      inputMode={isNumber ? 'decimal' : undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  </label>
);

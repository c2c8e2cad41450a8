import { type KeyboardEvent, useState } from 'react';
import { Dialog } from '../../../../base/ui/dialog.tsx';
import { VisibleLine } from '../../../../base/ui/visible-text.tsx';
import { useFormDraft } from '../../../../parts/common/use-form-draft.ts';
import { AgentSelect } from '../../../../parts/plans/agent-select.tsx';
import { CheckFields, MoreFields } from './step-fields.tsx';
import { StepForm } from './step-form.ts';

export interface StepDialogProps {
  readonly title: string;
  /** Under which an unfinished form is kept. */
  readonly draftName: string;
  readonly fresh: StepForm;
  /** The steps that it can need; none where the graph decides. */
  readonly choices: readonly { readonly id: string; readonly title: string }[];
  readonly submitLabel: string;
  /** Throws with a readable message if the form can't be used. */
  readonly onSubmit: (form: StepForm) => void;
  readonly onClose: () => void;
}

const PROMPTS = {
  work: ['What the agent should do', 'It gets this text, and the summary of every step that this one needs.'],
  command: ['Command', 'Runs in a shell, in the step’s folder. Exit code 0 means done.'],
  gate: ['Question for people', 'The plan waits here until somebody decides.'],
} as const;

/** Adds or edits one step. */
export function StepDialog({ title, draftName, fresh, choices, submitLabel, onSubmit, onClose }: StepDialogProps) {
  const [form, save] = useFormDraft(draftName, StepForm, fresh);
  const [problem, setProblem] = useState('');
  const change = (fields: Partial<StepForm>) => save({ ...form, ...fields });
  const isComplete = form.title.trim() !== '' && form.prompt.trim() !== '';
  const submit = () => {
    try {
      onSubmit(form);
      save(fresh);
      onClose();
    } catch {
      setProblem('One of the numbers is out of bounds: fix rounds are 0 to 5, the time limit is in whole minutes.');
    }
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey) && isComplete) submit();
  };
  const [promptLabel, promptHint] = PROMPTS[form.kind];
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="new-form" action={submit} onKeyDown={onKey}>
        <label className="field">
          <span>Title</span>
          <input data-first value={form.title} maxLength={200} onChange={(event) => change({ title: event.target.value })} />
        </label>
        <fieldset className="kind-choice">
          <legend className="unseen">Kind</legend>
          {(['work', 'command', 'gate'] as const).map((kind) => (
            <label key={kind}>
              <input type="radio" name="kind" checked={form.kind === kind} onChange={() => change({ kind })} />
              {KINDS[kind]}
            </label>
          ))}
        </fieldset>
        <label className="field">
          <span>{promptLabel}</span>
          <textarea
            rows={form.kind === 'work' ? 6 : 3}
            className={form.kind === 'command' ? 'mono' : undefined}
            value={form.prompt}
            aria-describedby="prompt-hint"
            onChange={(event) => change({ prompt: event.target.value })}
          />
        </label>
        <p id="prompt-hint" className="quiet form-hint">
          {promptHint}
        </p>
        {form.kind === 'work' && <AgentSelect label="Agent" any="The plan’s agent" value={form.agent} onChange={(agent) => change({ agent })} />}
        {choices.length > 0 && <NeedsField choices={choices} needs={form.needs} onChange={(needs) => change({ needs })} />}
        {form.kind === 'work' && <CheckFields form={form} onChange={change} />}
        <MoreFields form={form} onChange={change} />
        {problem !== '' && (
          <p className="form-problem" role="alert">
            {problem}
          </p>
        )}
        <footer className="dialog-foot">
          <button type="submit" className="button primary" disabled={!isComplete}>
            {submitLabel}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

const KINDS = { work: 'Agent', command: 'Command', gate: 'Gate' } as const;

interface NeedsFieldProps {
  readonly choices: StepDialogProps['choices'];
  readonly needs: readonly string[];
  readonly onChange: (needs: string[]) => void;
}

function NeedsField({ choices, needs, onChange }: NeedsFieldProps) {
  return (
    <fieldset className="needs-field">
      <legend>Needs</legend>
      <ul>
        {choices.map(({ id, title }) => (
          <li key={id}>
            <label>
              <input
                type="checkbox"
                checked={needs.includes(id)}
                onChange={(event) => onChange(event.target.checked ? [...needs, id] : needs.filter((need) => need !== id))}
              />
              <span>
                <VisibleLine text={title} />
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

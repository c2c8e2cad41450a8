import { PERMISSION_MODES } from '../../../../base/text/format.ts';
import { AgentSelect } from '../../../../parts/plans/agent-select.tsx';
import type { StepForm } from './step-form.ts';

interface FieldsProps {
  readonly form: StepForm;
  readonly onChange: (fields: Partial<StepForm>) => void;
}

/** What must hold before the step counts as done. */
export function CheckFields({ form, onChange }: FieldsProps) {
  return (
    <>
      <label className="field">
        <span>Check</span>
        <select value={form.checkKind} onChange={(event) => onChange({ checkKind: checkKindOf(event.target.value) })}>
          <option value="none">No check</option>
          <option value="command">A command must succeed</option>
          <option value="agent">Another agent reviews</option>
        </select>
      </label>
      {form.checkKind === 'agent' && (
        <AgentSelect label="Reviewing agent" any="Choose an agent" value={form.checkAgent} onChange={(checkAgent) => onChange({ checkAgent })} />
      )}
      {form.checkKind !== 'none' && (
        <label className="field">
          <span>{form.checkKind === 'command' ? 'Check command' : 'What the reviewer should look at'}</span>
          <textarea
            rows={2}
            className={form.checkKind === 'command' ? 'mono' : undefined}
            value={form.checkText}
            onChange={(event) => onChange({ checkText: event.target.value })}
          />
        </label>
      )}
    </>
  );
}

const checkKindOf = (value: string): StepForm['checkKind'] => (value === 'command' || value === 'agent' ? value : 'none');

/** What most steps leave as it is. */
export function MoreFields({ form, onChange }: FieldsProps) {
  return (
    <details className="options">
      <summary>More options</summary>
      <div className="option-grid">
        {form.kind === 'work' && (
          <>
            <TextField label="Model" value={form.model} onChange={(model) => onChange({ model })} />
            <Select
              label="Permissions"
              value={form.permissionMode}
              options={[['', 'The plan’s'], ...PERMISSION_MODES]}
              onChange={(permissionMode) => onChange({ permissionMode })}
            />
          </>
        )}
        {form.kind !== 'gate' && (
          <>
            <Select
              label="Worktree"
              value={form.worktree}
              options={WORKTREES}
              onChange={(value) => onChange({ worktree: value === 'own' || value === 'none' ? value : '' })}
            />
            <Select
              label="When it is done"
              value={form.merge}
              options={MERGES}
              onChange={(value) => onChange({ merge: value === 'plan' || value === 'none' ? value : '' })}
            />
            <TextField label="Time limit (minutes, 0 = none)" value={form.timeLimit} isNumber onChange={(timeLimit) => onChange({ timeLimit })} />
          </>
        )}
        {form.kind === 'work' && form.checkKind !== 'none' && (
          <>
            <TextField label="Fix rounds (0 to 5)" value={form.fixMax} isNumber onChange={(fixMax) => onChange({ fixMax })} />
            <Select
              label="When they are used up"
              value={form.fixThen}
              options={THENS}
              onChange={(value) => onChange({ fixThen: value === 'fail' ? value : 'gate' })}
            />
          </>
        )}
        <TextField label="Group" value={form.group} onChange={(group) => onChange({ group })} />
      </div>
    </details>
  );
}

const WORKTREES = [
  ['', 'Default'],
  ['own', 'Its own'],
  ['none', 'None: the plan’s folder'],
] as const;
const MERGES = [
  ['', 'Merge into the plan’s branch'],
  ['none', 'Leave its branch alone'],
] as const;
const THENS = [
  ['gate', 'Ask people'],
  ['fail', 'The step fails'],
] as const;

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly isNumber?: boolean;
  readonly onChange: (value: string) => void;
}

const TextField = ({ label, value, isNumber = false, onChange }: TextFieldProps) => (
  <label className="field">
    <span>{label}</span>
    <input value={value} inputMode={isNumber ? 'numeric' : undefined} onChange={(event) => onChange(event.target.value)} />
  </label>
);

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}

const Select = ({ label, value, options, onChange }: SelectProps) => (
  <label className="field">
    <span>{label}</span>
    <select value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

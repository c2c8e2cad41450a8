import { PERMISSION_MODES } from '../ui/words.ts';
import type { NewSessionForm } from './new-session-form.ts';

interface OptionFieldsProps {
  readonly form: NewSessionForm;
  readonly onChange: (fields: Partial<NewSessionForm>) => void;
}

export function OptionFields({ form, onChange }: OptionFieldsProps) {
  return (
    <details className="options">
      <summary>Options</summary>
      <div className="option-grid">
        <label className="field">
          <span>Permissions</span>
          <select value={form.permissionMode ?? ''} onChange={(event) => onChange({ permissionMode: event.target.value })}>
            <option value="">as the agent does by default</option>
            {PERMISSION_MODES.map(([mode, text]) => (
              <option key={mode} value={mode}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>Model</span>
          <input value={form.model ?? ''} spellCheck={false} placeholder="the agent's default" onChange={(event) => onChange({ model: event.target.value })} />
        </label>
      </div>
    </details>
  );
}

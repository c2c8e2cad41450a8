import { useState } from 'react';
import { Thinking } from '../../../src/protocol/session.ts';
import { modeText } from '../../base/text/format.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { MoreFields, moreOf } from './more-fields.tsx';
import { isOffered, modesFor, type NewSessionForm } from './new-session-form.ts';

interface OptionFieldsProps {
  readonly form: NewSessionForm;
  readonly onChange: (fields: Partial<NewSessionForm>) => void;
}

/** Options for the agent; all have a default. */
export function OptionFields({ form, onChange }: OptionFieldsProps) {
  const can = useApp((state) => state.agents?.find((agent) => agent.id === form.agent)?.capabilities);
  // Options chosen before a reload stay visible.
  const [isOpen] = useState(() => [form.permissionMode, form.model, form.thinking, ...moreOf(form)].some((value) => (value ?? '') !== ''));
  const modes = modesFor(form, can?.modes);
  return (
    <details className="options" open={isOpen}>
      <summary>Options</summary>
      <div className="option-grid">
        {modes.length > 0 && (
          <label className="field">
            <span>Permissions</span>
            <select value={form.permissionMode ?? ''} onChange={(event) => onChange({ permissionMode: event.target.value })}>
              <option value="">Agent default</option>
              {modes.map(({ mode, isKnown }) => (
                <option key={mode} value={mode}>
                  {isKnown ? modeText(mode) : `${modeText(mode)} (not supported by this agent)`}
                </option>
              ))}
            </select>
          </label>
        )}
        <label className="field">
          <span>Model</span>
          <input value={form.model ?? ''} spellCheck={false} placeholder="Agent default" onChange={(event) => onChange({ model: event.target.value })} />
        </label>
        {isOffered('thinking', form, can?.setThinking ? [] : ['thinking']) && (
          <label className="field">
            <span>Thinking</span>
            <select value={form.thinking ?? ''} onChange={(event) => onChange({ thinking: event.target.value })}>
              <option value="">Agent default</option>
              {Thinking.options.map((level) => (
                <option key={level} value={level}>
                  {level}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      {form.permissionMode === 'bypassPermissions' && <p className="form-problem">Runs everything without asking. The server must allow this mode.</p>}
      <MoreFields form={form} onChange={onChange} />
    </details>
  );
}

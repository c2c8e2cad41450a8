import { useState } from 'react';
import { useApp } from '../../store/cockpit-context.ts';
import { isOffered, type NewSessionForm } from './new-session-form.ts';

interface MoreFieldsProps {
  readonly form: NewSessionForm;
  readonly onChange: (fields: Partial<NewSessionForm>) => void;
}

const LISTS = [
  ['addDirs', 'Additional folders', '/home/you/other-project'],
  ['allowedTools', 'Tools allowed without asking', 'Read'],
  ['disallowedTools', 'Disallowed tools', 'WebFetch'],
  ['env', 'Environment variables', 'NAME=value'],
] as const;

export const moreOf = ({
  appendSystemPrompt,
  addDirs,
  allowedTools,
  disallowedTools,
  maxTurns,
  fallbackModel,
}: NewSessionForm): readonly (string | undefined)[] => [appendSystemPrompt, addDirs, allowedTools, disallowedTools, maxTurns, fallbackModel];

/** Options that few sessions need. Hides what the agent doesn't support, unless it is filled. */
export function MoreFields({ form, onChange }: MoreFieldsProps) {
  const refused = useApp((state) => state.agents?.find((agent) => agent.id === form.agent)?.refusedOptions);
  const hasTools = useApp((state) => (state.agents?.find((agent) => agent.id === form.agent)?.capabilities.tools ?? 'none') !== 'none');
  const [isOpen] = useState(() => form.tools === false || moreOf(form).some((value) => (value ?? '') !== ''));
  const takes = (name: Parameters<typeof isOffered>[0]): boolean => isOffered(name, form, refused);
  return (
    <details className="options more" open={isOpen}>
      <summary>More</summary>
      {takes('appendSystemPrompt') && (
        <label className="field">
          <span>Append to system prompt</span>
          <textarea rows={2} value={form.appendSystemPrompt ?? ''} onChange={(event) => onChange({ appendSystemPrompt: event.target.value })} />
        </label>
      )}
      <div className="option-grid">
        {LISTS.filter(([name]) => takes(name)).map(([name, title, example]) => (
          <label key={name} className="field">
            <span>{title}, one per line</span>
            <textarea
              className="mono"
              rows={2}
              spellCheck={false}
              placeholder={example}
              value={form[name] ?? ''}
              onChange={(event) => onChange({ [name]: event.target.value })}
            />
          </label>
        ))}
        {takes('maxTurns') && (
          <label className="field">
            <span>Max steps per turn</span>
            <input type="number" min={1} inputMode="numeric" value={form.maxTurns ?? ''} onChange={(event) => onChange({ maxTurns: event.target.value })} />
          </label>
        )}
        {takes('fallbackModel') && (
          <label className="field">
            <span>Fallback model</span>
            <input spellCheck={false} value={form.fallbackModel ?? ''} onChange={(event) => onChange({ fallbackModel: event.target.value })} />
          </label>
        )}
      </div>
      {hasTools && (
        <label className="check">
          <input type="checkbox" checked={form.tools !== false} onChange={(event) => onChange({ tools: event.target.checked })} />
          <span>Signalbox tools: the agent can ask you questions, and find, read and start sessions</span>
        </label>
      )}
    </details>
  );
}

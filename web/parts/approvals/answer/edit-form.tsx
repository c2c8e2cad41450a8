import { type KeyboardEvent, useMemo } from 'react';
import { DiffView } from '../../diff/diff-view.tsx';
import { lineDiff } from '../../diff/line-diff.ts';
import { usePlan } from '../request/use-plan.ts';
import type { AnswerViewProps } from './answer-form.tsx';
import { type EditField, editFields, withTexts } from './edit-fields.ts';

const nameOf = ({ path }: EditField): string => path.join('.');

/** Edits the request in place, shows the difference, and allows the edited version. */
export function EditForm({ request, onVerdict, onView, draft, onDraft, isJustOpened }: AnswerViewProps) {
  const plan = usePlan(request);
  const fields = useMemo(() => editFields(request, plan), [request, plan]);
  const typed = new Map(draft.texts);
  const texts = fields.map((field) => typed.get(nameOf(field)) ?? field.text);
  const edited = withTexts(request.input, fields, texts);
  const isChanged = fields.some((field, at) => texts[at] !== field.text);
  const allow = () => 'input' in edited && isChanged && onVerdict({ behavior: 'allow', updatedInput: edited.input });
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) allow();
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onView('choice');
  };
  return (
    <form className="edit-form" action={() => void allow()}>
      {fields.map((field, at) => (
        <label key={nameOf(field)} className="field">
          <span>{field.label}</span>
          <textarea
            // biome-ignore lint/a11y/noAutofocus: the person has just chosen to edit
            autoFocus={isJustOpened && at === 0}
            className="mono"
            spellCheck={false}
            rows={Math.min(18, Math.max(2, (texts[at] ?? '').split('\n').length))}
            value={texts[at]}
            onChange={(event) => onDraft({ texts: [...typed.set(nameOf(field), event.target.value)] })}
            onKeyDown={onKey}
          />
          {texts[at] !== field.text && <DiffView lines={lineDiff(field.text, texts[at] ?? '')} />}
        </label>
      ))}
      {'problem' in edited && <p className="form-problem">{edited.problem}</p>}
      <div className="answer-buttons">
        <button type="submit" className="button primary" disabled={!isChanged || 'problem' in edited}>
          Allow edited <span className="key-hint">Ctrl ⏎</span>
        </button>
        <button type="button" className="button plain" onClick={() => onView('choice')}>
          Cancel
        </button>
      </div>
    </form>
  );
}

import { useEffect } from 'react';
import * as z from 'zod/mini';
import { useFormDraft } from '../../../parts/common/use-form-draft.ts';
import { useSettings, useSettingsState } from '../settings-context.ts';
import { draftOf, NEW_DRAFT, RuleDraft } from './rule-draft.ts';
import { RuleForm } from './rule-form.tsx';
import { RuleRow } from './rule-row.tsx';

/** The rule in the form, and which one it replaces. */
const OpenForm = z.optional(z.object({ replaces: z.optional(z.string()), draft: RuleDraft }));

/** All rules: who created each, where it applies, how often it was used. */
export function RulesTab() {
  const settings = useSettings();
  const rules = useSettingsState((state) => state.rules);
  const isOwner = useSettingsState((state) => state.isOwner === true);
  const [form, setForm] = useFormDraft('rule', OpenForm, undefined);
  useEffect(() => void settings.loadRules(), [settings]);
  if (rules === undefined) return null;
  const narrowed = rules.find(({ id }) => id === form?.replaces);
  const isGone = form?.replaces !== undefined && narrowed === undefined;
  return (
    <section aria-label="Rules">
      <div className="section-head">
        <p>Rules answer requests for you. Each automatic answer names its rule. {!isOwner && 'Only an owner of this server can change them.'}</p>
        {isOwner && form === undefined && (
          <button type="button" className="button primary" onClick={() => setForm({ draft: NEW_DRAFT })}>
            New rule
          </button>
        )}
      </div>
      {isGone && (
        <p className="form-problem" role="alert">
          The rule you were narrowing is gone.{' '}
          <button type="button" className="link-button" onClick={() => setForm(undefined)}>
            Discard
          </button>
        </p>
      )}
      {form !== undefined && !isGone && (
        <RuleForm
          draft={form.draft}
          onChange={(part) => setForm({ ...form, draft: { ...form.draft, ...part } })}
          replaces={narrowed}
          onDone={() => setForm(undefined)}
        />
      )}
      {rules.length === 0 && <p className="quiet">No rules yet. Choose “Always” on a request, or create one here.</p>}
      <ul className="rule-list">
        {rules.map((rule) => (
          <RuleRow key={rule.id} rule={rule} isOwner={isOwner} onNarrow={() => setForm({ replaces: rule.id, draft: draftOf(rule) })} />
        ))}
      </ul>
    </section>
  );
}

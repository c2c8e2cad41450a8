import { useEffect, useMemo } from 'react';
import { breadthOf } from '../../../../src/domain/policy/breadth.ts';
import type { RuleInUse } from '../../../../src/protocol/rule.ts';
import { useSettings } from '../settings-context.ts';
import { type RuleDraft, ruleOf } from './rule-draft.ts';
import { RulePatternFields } from './rule-pattern-fields.tsx';
import { RuleScopeFields } from './rule-scope-fields.tsx';
import { RuleTestView } from './rule-test-view.tsx';

/** Tests the rule when the person pauses, not on every key. */
const PAUSE_MS = 350;

export interface DraftProps {
  readonly draft: RuleDraft;
  readonly onChange: (change: Partial<RuleDraft>) => void;
}

interface RuleFormProps extends DraftProps {
  /** The rule that the new one replaces. */
  readonly replaces?: RuleInUse | undefined;
  readonly onDone: () => void;
}

/** Creates a rule or replaces one with a narrower one. Shows what it would have done to past calls. */
export function RuleForm({ draft, onChange, replaces, onDone }: RuleFormProps) {
  const settings = useSettings();
  const rule = useMemo(() => ruleOf(draft), [draft]);
  const gives = rule && breadthOf(rule);
  useEffect(() => {
    const timer = setTimeout(() => void settings.testRule(rule), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [settings, rule]);
  const create = async () => {
    if (rule === undefined) return;
    const isCreated = await settings.createRule({ ...rule, ...(replaces !== undefined && { replaces: replaces.id }) });
    if (isCreated) onDone();
  };
  return (
    <form className="rule-form" aria-label={replaces === undefined ? 'New rule' : 'Narrower rule'} action={create}>
      <h2>{replaces === undefined ? 'New rule' : 'Narrow this rule (the new one replaces it)'}</h2>
      <RulePatternFields draft={draft} onChange={onChange} />
      <RuleScopeFields draft={draft} onChange={onChange} />
      <label className="field">
        <span>{draft.behavior === 'deny' ? 'Reason (sent to the agent)' : 'Reason'}</span>
        <input value={draft.note} onChange={(event) => onChange({ note: event.target.value })} />
      </label>
      {gives !== undefined && (
        <p className="rule-breadth" role="status">
          <strong>What this gives away.</strong> {gives}
        </p>
      )}
      <RuleTestView behavior={draft.behavior} />
      <div className="answer-buttons">
        <button type="submit" className="button primary" disabled={rule === undefined}>
          {replaces === undefined ? 'Create rule' : 'Replace rule'}
        </button>
        <button type="button" className="button plain" onClick={onDone}>
          Cancel
        </button>
      </div>
    </form>
  );
}

import { useEffect, useMemo } from 'react';
import type { RuleInUse } from '../../../../src/protocol/rule.ts';
import { useHouse } from '../settings-context.ts';
import { type RuleDraft, ruleOf } from './rule-draft.ts';
import { RulePatternFields } from './rule-pattern-fields.tsx';
import { RuleScopeFields } from './rule-scope-fields.tsx';
import { RuleTestView } from './rule-test-view.tsx';

/** Asked of the past when a person pauses, not at every key. */
const PAUSE_MS = 350;

export interface DraftProps {
  readonly draft: RuleDraft;
  readonly onChange: (change: Partial<RuleDraft>) => void;
}

interface RuleFormProps extends DraftProps {
  /** The rule that the new one narrows. */
  readonly replaces?: RuleInUse | undefined;
  readonly onDone: () => void;
}

/** A new rule, or a narrower one in place of another; says meanwhile what it would have done. */
export function RuleForm({ draft, onChange, replaces, onDone }: RuleFormProps) {
  const house = useHouse();
  const rule = useMemo(() => ruleOf(draft), [draft]);
  useEffect(() => {
    const timer = setTimeout(() => void house.testRule(rule), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [house, rule]);
  const make = async () => {
    if (rule === undefined) return;
    const isMade = await house.createRule({ ...rule, ...(replaces !== undefined && { replaces: replaces.id }) });
    if (isMade) onDone();
  };
  return (
    <form className="rule-form" aria-label={replaces === undefined ? 'New rule' : 'Narrower rule'} action={make}>
      <h2>{replaces === undefined ? 'New rule' : 'Narrow this rule: the new one takes its place'}</h2>
      <RulePatternFields draft={draft} onChange={onChange} />
      <RuleScopeFields draft={draft} onChange={onChange} />
      <label className="field">
        <span>{draft.behavior === 'deny' ? 'Why (told to the agent)' : 'Why'}</span>
        <input value={draft.note} onChange={(event) => onChange({ note: event.target.value })} />
      </label>
      <RuleTestView behavior={draft.behavior} />
      <div className="answer-buttons">
        <button type="submit" className="button primary" disabled={rule === undefined}>
          {replaces === undefined ? 'Make the rule' : 'Replace the rule'}
        </button>
        <button type="button" className="button plain" onClick={onDone}>
          Back
        </button>
      </div>
    </form>
  );
}

import { useEffect } from 'react';
import * as z from 'zod/mini';
import { useKept } from '../../../parts/common/use-kept.ts';
import { useHouse, useHouseState } from '../settings-context.ts';
import { draftOf, NEW_DRAFT, RuleDraft } from './rule-draft.ts';
import { RuleForm } from './rule-form.tsx';
import { RuleRow } from './rule-row.tsx';

/** The rule that is being made, and which one it narrows. */
const Making = z.optional(z.object({ replaces: z.optional(z.string()), draft: RuleDraft }));

/** What is allowed or denied without asking: who made it, where it holds, how often it spoke. */
export function RulesTab() {
  const house = useHouse();
  const rules = useHouseState((state) => state.rules);
  const isOwner = useHouseState((state) => state.isOwner === true);
  const [making, setMaking] = useKept('rule', Making, undefined);
  useEffect(() => void house.loadRules(), [house]);
  if (rules === undefined) return null;
  const narrowed = rules.find(({ id }) => id === making?.replaces);
  const isGone = making?.replaces !== undefined && narrowed === undefined;
  return (
    <section aria-label="Rules">
      <div className="section-head">
        <p>
          A rule answers at once, without asking anybody. What was decided by one says so, with its name.{' '}
          {!isOwner && 'Only an owner of this server can change them.'}
        </p>
        {isOwner && making === undefined && (
          <button type="button" className="button primary" onClick={() => setMaking({ draft: NEW_DRAFT })}>
            New rule
          </button>
        )}
      </div>
      {isGone && (
        <p className="form-problem" role="alert">
          The rule that was to be narrowed is gone.{' '}
          <button type="button" className="link-button" onClick={() => setMaking(undefined)}>
            Let go of it
          </button>
        </p>
      )}
      {making !== undefined && !isGone && (
        <RuleForm
          draft={making.draft}
          onChange={(part) => setMaking({ ...making, draft: { ...making.draft, ...part } })}
          replaces={narrowed}
          onDone={() => setMaking(undefined)}
        />
      )}
      {rules.length === 0 && <p className="quiet">There are no rules yet. “Always” on a card makes one, or begin here.</p>}
      <ul className="rule-list">
        {rules.map((rule) => (
          <RuleRow key={rule.id} rule={rule} isOwner={isOwner} onNarrow={() => setMaking({ replaces: rule.id, draft: draftOf(rule) })} />
        ))}
      </ul>
    </section>
  );
}

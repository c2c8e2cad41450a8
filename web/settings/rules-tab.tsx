import { useEffect, useState } from 'react';
import type { RuleInUse } from '../../src/protocol/rule.ts';
import { useHouse, useHouseState } from './house-context.ts';
import { RuleForm } from './rule-form.tsx';
import { RuleRow } from './rule-row.tsx';

type Making = { readonly replaces?: RuleInUse };

/** What is allowed or denied without asking: who made it, where it holds, how often it spoke. */
export function RulesTab() {
  const house = useHouse();
  const rules = useHouseState((state) => state.rules);
  const isOwner = useHouseState((state) => state.isOwner === true);
  const [making, setMaking] = useState<Making>();
  useEffect(() => void house.loadRules(), [house]);
  if (rules === undefined) return null;
  return (
    <section aria-label="Rules">
      <div className="section-head">
        <p>
          A rule answers at once, without asking anybody. What was decided by one says so, with its name.{' '}
          {!isOwner && 'Only an owner of this server can change them.'}
        </p>
        {isOwner && making === undefined && (
          <button type="button" className="button primary" onClick={() => setMaking({})}>
            New rule
          </button>
        )}
      </div>
      {making !== undefined && <RuleForm key={making.replaces?.id ?? 'new'} replaces={making.replaces} onDone={() => setMaking(undefined)} />}
      {rules.length === 0 && <p className="quiet">There are no rules yet. “Always” on a card makes one, or begin here.</p>}
      <ul className="rule-list">
        {rules.map((rule) => (
          <RuleRow key={rule.id} rule={rule} isOwner={isOwner} onNarrow={() => setMaking({ replaces: rule })} />
        ))}
      </ul>
    </section>
  );
}

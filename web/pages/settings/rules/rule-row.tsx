import type { RuleInUse } from '../../../../src/protocol/rule.ts';
import { ConfirmButton } from '../../../base/ui/confirm-button.tsx';
import { VisibleText } from '../../../base/ui/visible-text.tsx';
import { Ago } from '../../../parts/common/ago.tsx';
import { useApp } from '../../../store/cockpit-context.ts';
import { useSettings } from '../settings-context.ts';
import { ruleText, scopeText, usageText } from './rule-text.ts';

interface RuleRowProps {
  readonly rule: RuleInUse;
  readonly isOwner: boolean;
  readonly onNarrow: () => void;
}

export function RuleRow({ rule, isOwner, onNarrow }: RuleRowProps) {
  const settings = useSettings();
  const sessions = useApp((state) => state.sessions);
  const { words, pattern } = ruleText(rule);
  return (
    <li className="rule-row">
      <p className="rule-says">
        {words}{' '}
        <code>
          <VisibleText text={pattern} />
        </code>{' '}
        <span className="rule-scope">{scopeText(rule, (id) => sessions.get(id)?.title)}</span>
        {rule.agent !== undefined && <span className="rule-scope">, only for {rule.agent}</span>}
      </p>
      {rule.note !== undefined && <p className="rule-note">“{rule.note}”</p>}
      <p className="rule-facts">
        {`created by ${rule.createdBy.name}${rule.fromRequest === undefined ? '' : ' from a request'} · `}
        <Ago at={rule.createdAt} />
        {' · '}
        {usageText(rule)} {rule.lastUsedAt !== undefined && <Ago at={rule.lastUsedAt} />}
      </p>
      {isOwner && (
        <p className="rule-acts">
          <button type="button" className="button plain" onClick={onNarrow}>
            Narrow
          </button>
          <ConfirmButton label="Revoke" question="You will be asked again." onConfirm={() => void settings.revokeRule(rule.id)} />
        </p>
      )}
    </li>
  );
}

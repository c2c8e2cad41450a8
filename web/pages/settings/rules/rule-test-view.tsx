import { Link } from '@tanstack/react-router';
import type { RuleTest } from '../../../../src/protocol/rule.ts';
import { VisibleText } from '../../../base/ui/visible-text.tsx';
import { Ago } from '../../../parts/common/ago.tsx';
import { useSettingsState } from '../settings-context.ts';
import { ruleTestText } from './rule-test-text.ts';

/** What the rule would have done to past calls, risky ones first. */
export function RuleTestView({ behavior }: { readonly behavior: 'allow' | 'deny' }) {
  const test = useSettingsState((state) => state.test);
  const problem = useSettingsState((state) => state.testProblem);
  return (
    <div className="rule-test" role="status">
      {problem !== undefined && <p className="form-problem">{problem}</p>}
      {test !== undefined && <p>{ruleTestText(behavior, test)}</p>}
      {test !== undefined && test.examples.length > 0 && <Examples examples={test.examples} />}
    </div>
  );
}

function Examples({ examples }: Pick<RuleTest, 'examples'>) {
  return (
    <ul className="test-examples">
      {examples.map(({ sessionId, seq, words, at, isRisky, outcome }) => (
        <li key={`${sessionId} ${seq}`}>
          <Link to="/s/$sessionId" params={{ sessionId }} hash={`e${seq}`}>
            <code>
              <VisibleText text={words} />
            </code>
          </Link>
          {isRisky && <strong className="risky">risky</strong>}
          {outcome !== undefined && <span className="quiet">{outcome}</span>}
          <Ago at={at} />
        </li>
      ))}
    </ul>
  );
}

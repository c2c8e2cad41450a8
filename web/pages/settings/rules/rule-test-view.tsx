import { Link } from '@tanstack/react-router';
import type { RuleTest } from '../../../../src/protocol/rule.ts';
import { VisibleText } from '../../../base/ui/visible-text.tsx';
import { Ago } from '../../../parts/common/ago.tsx';
import { useHouseState } from '../settings-context.ts';
import { testWords } from './test-words.ts';

/** What the rule would have done to the past, the dangerous first: the best warning there is. */
export function RuleTestView({ behavior }: { readonly behavior: 'allow' | 'deny' }) {
  const test = useHouseState((state) => state.test);
  const problem = useHouseState((state) => state.testProblem);
  return (
    <div className="rule-test" role="status">
      {problem !== undefined && <p className="form-problem">{problem}</p>}
      {test !== undefined && <p>{testWords(behavior, test)}</p>}
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
          {isRisky && <strong className="risky">look twice</strong>}
          {outcome !== undefined && <span className="quiet">{outcome}</span>}
          <Ago at={at} />
        </li>
      ))}
    </ul>
  );
}

import type { RuleTest } from '../../../../src/protocol/rule.ts';
import { countText } from '../../../base/words/words.ts';

/** "It would have allowed 412 of 530 past calls, …": what a rule means, told by what was. */
export function testWords(behavior: 'allow' | 'deny', { calls, matched, asked, matchedAsked, examples, notUnderstood }: RuleTest): string {
  if (calls === 0) return 'There are no past calls to try it on yet.';
  const verb = behavior === 'allow' ? 'allowed' : 'denied';
  const said = `It would have ${verb} ${matched} of ${countText(calls, 'past call')}`;
  const ofAsked = asked === 0 ? '' : `, ${matchedAsked} of the ${asked} that were asked about`;
  const risky = examples.filter((example) => example.isRisky).length;
  const warning = risky === 0 ? '' : `, among them ${risky} to look at twice`;
  const rest = behavior === 'allow' && notUnderstood > 0 ? ` ${countText(notUnderstood, 'call')} could not be understood wholly; no rule allows such.` : '';
  return `${said}${ofAsked}${warning}.${rest}`;
}

import type { RuleTest } from '../../../../src/protocol/rule.ts';
import { countText } from '../../../base/text/format.ts';

/** "Would have allowed 412 of 530 past calls, …": what a rule means, shown by past calls. */
export function ruleTestText(behavior: 'allow' | 'deny', { calls, matched, asked, matchedAsked, examples, notUnderstood }: RuleTest): string {
  if (calls === 0) return 'No past calls to test it on yet.';
  const verb = behavior === 'allow' ? 'allowed' : 'denied';
  const summary = `Would have ${verb} ${matched} of ${countText(calls, 'past call')}`;
  const ofAsked = asked === 0 ? '' : `, ${matchedAsked} of the ${asked} you were asked about`;
  const risky = examples.filter((example) => example.isRisky).length;
  const warning = risky === 0 ? '' : `, including ${risky} risky`;
  const rest = behavior === 'allow' && notUnderstood > 0 ? ` ${countText(notUnderstood, 'call')} could not be fully parsed; no rule allows those.` : '';
  return `${summary}${ofAsked}${warning}.${rest}`;
}

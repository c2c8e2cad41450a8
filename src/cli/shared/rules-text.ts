import type { RuleInUse, RuleScope, RuleTest } from '../../protocol/rule.ts';
import { printableLine, table } from './paint.ts';

export const rulesTable = (rules: readonly RuleInUse[]): string =>
  table([
    ['ID', 'ANSWER', 'TOOL', 'PATTERN', 'SCOPE', 'CREATED BY', 'USES', 'LAST USED'],
    ...rules.map((rule) =>
      [
        rule.id,
        rule.behavior,
        rule.tool,
        rule.command ?? rule.path ?? rule.host ?? '(any call)',
        scopeText(rule.scope),
        rule.createdBy.name,
        String(rule.uses),
        rule.lastUsedAt?.slice(0, 16).replace('T', ' ') ?? 'never',
      ].map(printableLine),
    ),
  ]);

function scopeText(scope: RuleScope): string {
  switch (scope.kind) {
    case 'session':
      return `session ${scope.sessionId}`;
    case 'project':
      return scope.folder;
    case 'everywhere':
      return 'everywhere';
  }
}

/** "This rule would have allowed 412 of 530 past calls", and some of them, risky ones first. */
export function testText(behavior: 'allow' | 'deny', test: RuleTest): string {
  const verb = behavior === 'allow' ? 'allowed' : 'denied';
  const examples = test.examples.map(({ isRisky, tool, words, outcome, sessionId, seq }) => {
    const was = outcome === undefined ? 'not asked' : `was ${outcome}`;
    return `  ${isRisky ? '!' : ' '} ${tool}: ${words.split('\n')[0]}  (${was}, ${sessionId} #${seq})\n`;
  });
  return [
    `This rule would have ${verb} ${test.matched} of ${test.calls} past calls${test.cut ? ' (newest calls only)' : ''}, `,
    `including ${test.matchedAsked} of the ${test.asked} that you were asked about.\n`,
    behavior === 'allow' && test.notUnderstood > 0 ? `${test.notUnderstood} calls can't be fully parsed, so no rule allows them.\n` : '',
    examples.length > 0 ? `Examples:\n${examples.join('')}` : '',
  ].join('');
}

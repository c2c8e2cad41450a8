import type { RuleInUse, RuleScope, RuleTest } from '../protocol/rule.ts';
import { harmlessLine, table } from './paint.ts';

export const rulesTable = (rules: readonly RuleInUse[]): string =>
  table([
    ['ID', 'SAYS', 'TOOL', 'ABOUT', 'WHERE', 'BY', 'USES', 'LAST USED'],
    ...rules.map((rule) =>
      [
        rule.id,
        rule.behavior,
        rule.tool,
        rule.command ?? rule.path ?? rule.host ?? '(every call)',
        scopeWords(rule.scope),
        rule.createdBy.name,
        String(rule.uses),
        rule.lastUsedAt?.slice(0, 16).replace('T', ' ') ?? 'never',
      ].map(harmlessLine),
    ),
  ]);

function scopeWords(scope: RuleScope): string {
  switch (scope.kind) {
    case 'session':
      return `session ${scope.sessionId}`;
    case 'project':
      return scope.folder;
    case 'everywhere':
      return 'everywhere';
  }
}

/** "This rule would have allowed 412 of 530 past calls", and a few of them, the risky ones first. */
export function testWords(behavior: 'allow' | 'deny', test: RuleTest): string {
  const verb = behavior === 'allow' ? 'allowed' : 'denied';
  const examples = test.examples.map(({ isRisky, tool, words, outcome, sessionId, seq }) => {
    const was = outcome === undefined ? 'not asked about' : `was ${outcome}`;
    return `  ${isRisky ? '!' : ' '} ${tool}: ${words.split('\n')[0]}  (${was}, ${sessionId} #${seq})\n`;
  });
  return [
    `This rule would have ${verb} ${test.matched} of ${test.calls} past calls${test.cut ? ' (the newest were looked at)' : ''}; `,
    `of the ${test.asked} that were asked about, ${test.matchedAsked}.\n`,
    behavior === 'allow' && test.notUnderstood > 0 ? `${test.notUnderstood} calls are not understood completely: no rule ever allows them.\n` : '',
    examples.length > 0 ? `Among them:\n${examples.join('')}` : '',
  ].join('');
}

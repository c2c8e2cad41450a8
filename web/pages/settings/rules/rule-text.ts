import type { RuleBody, RuleInUse } from '../../../../src/protocol/rule.ts';
import { countText } from '../../../base/text/format.ts';

/** What a rule matches, in two parts: a phrase and the pattern itself. */
export function ruleText(rule: RuleBody): { readonly words: string; readonly pattern: string } {
  const verb = rule.behavior === 'allow' ? 'Allows' : 'Denies';
  const family = rule.tool === '*' ? 'any tool' : rule.tool.endsWith('*') ? `tools named ${rule.tool}` : rule.tool;
  if (rule.command !== undefined) return { words: `${verb} the command`, pattern: rule.command };
  if (rule.path !== undefined) return { words: `${verb} ${family} on`, pattern: rule.path };
  if (rule.host !== undefined) return { words: `${verb} ${family} at`, pattern: rule.host };
  return { words: `${verb} every call to`, pattern: rule.tool };
}

export function scopeText({ scope }: RuleBody, titleOf: (sessionId: string) => string | undefined): string {
  switch (scope.kind) {
    case 'everywhere':
      return 'everywhere';
    case 'project':
      return `in ${scope.folder}`;
    case 'session':
      return `in the session “${titleOf(scope.sessionId) ?? scope.sessionId}”`;
  }
}

export function usageText({ uses, lastUsedAt }: RuleInUse): string {
  if (uses === 0) return 'never used';
  return `used ${countText(uses, 'time')}${lastUsedAt === undefined ? '' : ', last'}`;
}

import { RuleBody, type RuleInUse } from '../../src/protocol/rule.ts';

/** A rule as the form holds it: every field is a text. */
export interface RuleDraft {
  readonly behavior: 'allow' | 'deny';
  readonly tool: string;
  readonly by: 'command' | 'path' | 'host' | 'tool';
  readonly pattern: string;
  readonly scope: 'everywhere' | 'project' | 'session';
  readonly folder: string;
  readonly sessionId: string;
  readonly agent: string;
  readonly note: string;
}

export const NEW_DRAFT: RuleDraft = {
  behavior: 'allow',
  tool: '*',
  by: 'command',
  pattern: '',
  scope: 'everywhere',
  folder: '',
  sessionId: '',
  agent: '',
  note: '',
};

export function draftOf(rule: RuleInUse): RuleDraft {
  const by = rule.command !== undefined ? 'command' : rule.path !== undefined ? 'path' : rule.host !== undefined ? 'host' : 'tool';
  return {
    behavior: rule.behavior,
    tool: rule.tool,
    by,
    pattern: rule.command ?? rule.path ?? rule.host ?? '',
    scope: rule.scope.kind,
    folder: rule.scope.kind === 'project' ? rule.scope.folder : '',
    sessionId: rule.scope.kind === 'session' ? rule.scope.sessionId : '',
    agent: rule.agent ?? '',
    note: rule.note ?? '',
  };
}

/** The rule that the form says, or nothing while it is not whole. */
export function ruleOf(draft: RuleDraft): RuleBody | undefined {
  const { behavior, tool, by, pattern, agent, note } = draft;
  const parsed = RuleBody.safeParse({
    behavior,
    tool: tool.trim(),
    ...(by !== 'tool' && { [by]: pattern.trim() }),
    scope: scopeOf(draft),
    ...(agent !== '' && { agent }),
    ...(note.trim() !== '' && { note: note.trim() }),
  });
  return parsed.success ? parsed.data : undefined;
}

function scopeOf({ scope, folder, sessionId }: RuleDraft): object {
  if (scope === 'project') return { kind: scope, folder: folder.trim() };
  return scope === 'session' ? { kind: scope, sessionId } : { kind: scope };
}

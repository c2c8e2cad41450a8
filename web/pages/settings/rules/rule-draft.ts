import * as z from 'zod/mini';
import { RuleBody, type RuleInUse } from '../../../../src/protocol/rule.ts';

/** A rule as the form holds it: every field is a string. */
export const RuleDraft = z.readonly(
  z.object({
    behavior: z.enum(['allow', 'deny']),
    tool: z.string(),
    by: z.enum(['command', 'path', 'host', 'tool']),
    pattern: z.string(),
    scope: z.enum(['everywhere', 'project', 'session']),
    folder: z.string(),
    sessionId: z.string(),
    agent: z.string(),
    note: z.string(),
  }),
);
export type RuleDraft = z.infer<typeof RuleDraft>;

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

/** The rule in the form, or undefined while it is incomplete. */
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

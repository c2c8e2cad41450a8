import type { Call } from '../../src/domain/policy/judge.ts';
import { AgentId, SessionId } from '../../src/protocol/ids.ts';
import { Rule, type RuleBody } from '../../src/protocol/rule.ts';
import type { Subject } from '../../src/protocol/subject.ts';

/** A rule; `number` determines its id and age. */
export function ruleOf(body: Partial<RuleBody> & { tool: string }, number = 0): Rule {
  return Rule.parse({
    behavior: 'allow',
    scope: { kind: 'everywhere' },
    ...body,
    id: `rule-${number}`,
    createdAt: new Date(number * 1000).toISOString(),
    createdBy: { kind: 'person', id: 'owner', name: 'Owner' },
  });
}

export const allowing = (...commands: string[]): Rule[] => commands.map((command, number) => ruleOf({ tool: 'Shell', command }, number));
export const denying = (...commands: string[]): Rule[] => commands.map((command, number) => ruleOf({ tool: 'Shell', command, behavior: 'deny' }, 100 + number));

export function callOf(tool: string, subject: Subject, over: Partial<Call> = {}): Call {
  return { agent: AgentId.parse('some-agent'), sessionId: SessionId.parse('s1'), cwd: '/work/app', tool, subject, ...over };
}

export const shell = (command: string, cwd?: string): Call => callOf('Shell', { kind: 'command', command, ...(cwd !== undefined && { cwd }) });

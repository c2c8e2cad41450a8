import type { RuleBody, RulePattern, RuleScope } from '../../protocol/rule.ts';
import type { Call } from './judge.ts';

/** A rule in one line: Allow Bash `git diff *` in /work/app. */
export function describeRule(rule: RuleBody): string {
  const verb = rule.behavior === 'allow' ? 'Allow' : 'Deny';
  const whose = rule.agent === undefined ? '' : ` for ${rule.agent}`;
  return `${verb} ${describePattern(rule)}${whose} ${describeScope(rule.scope)}`;
}

export function describePattern({ tool, command, path, host }: RulePattern): string {
  if (command !== undefined) return `${toolText(tool)} \`${command}\``;
  if (path !== undefined) return `${toolText(tool)} on ${pathText(path)}`;
  if (host !== undefined) return `${toolText(tool)} on ${hostText(host)}`;
  return `every call of ${toolText(tool)}`;
}

function toolText(tool: string): string {
  if (tool === '*') return 'any tool';
  return tool.endsWith('*') ? `any tool that starts with ${tool.slice(0, -1)}` : tool;
}

function pathText(path: string): string {
  if (path === '**') return "any file in the session's folder";
  return path.endsWith('/**') && !path.slice(0, -3).includes('*') ? `any file in ${path.slice(0, -2)}` : path;
}

const hostText = (host: string): string => (host.startsWith('*.') ? `${host.slice(2)} and its subdomains` : host);

export function describeScope(scope: RuleScope): string {
  switch (scope.kind) {
    case 'session':
      return 'in this session';
    case 'project':
      return `in ${scope.folder}`;
    case 'everywhere':
      return 'everywhere';
  }
}

/** What a call is about, in one line. */
export function describeCall({ tool, subject }: Pick<Call, 'tool' | 'subject'>): string {
  switch (subject.kind) {
    case 'command':
      return subject.command;
    case 'read':
    case 'edit':
      return `${tool} ${subject.paths.join(', ')}`;
    case 'web':
      return `${tool} ${subject.url ?? subject.query ?? ''}`.trim();
    case 'mcp':
    case 'other':
      return tool;
  }
}

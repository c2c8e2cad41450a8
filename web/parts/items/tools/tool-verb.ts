import { mcpName, type ToolKind } from '../../../../src/domain/transcript/tool-kind.ts';

const VERBS: Record<Exclude<ToolKind, 'other' | 'mcp'>, string> = {
  command: 'Run',
  edit: 'Edit',
  write: 'Write',
  read: 'Read',
  search: 'Search',
  web: 'Web',
  todo: 'List',
  agent: 'Agent',
  question: 'Question',
  plan: 'Plan',
};

export function toolVerb(kind: ToolKind, name = 'Earlier call'): string {
  if (kind === 'other') return name;
  if (kind !== 'mcp') return VERBS[kind];
  const named = mcpName(name);
  return named === undefined ? name : `${named.server} · ${named.tool}`;
}

import { mcpName, type ToolKind, taskVerb } from '../../../../src/domain/transcript/tool-kind.ts';

const VERBS: Record<Exclude<ToolKind, 'other' | 'mcp'>, string> = {
  command: 'Run',
  edit: 'Edit',
  write: 'Write',
  read: 'Read',
  search: 'Search',
  web: 'Web',
  todo: 'To-do list',
  agent: 'Agent',
  question: 'Question',
  plan: 'Plan',
};

export function toolVerb(kind: ToolKind, name = 'Earlier call'): string {
  if (kind === 'other') return name;
  if (kind === 'todo') return taskVerb(name)?.label ?? VERBS.todo;
  if (kind !== 'mcp') return VERBS[kind];
  const named = mcpName(name);
  return named === undefined ? name : `${named.server} · ${named.tool}`;
}

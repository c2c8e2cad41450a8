import type { ToolKind } from '../../src/domain/transcript/tool-kind.ts';

const VERBS: Record<Exclude<ToolKind, 'other'>, string> = {
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

export const toolVerb = (kind: ToolKind, name: string | undefined): string => (kind === 'other' ? (name ?? 'A call begun further up') : VERBS[kind]);

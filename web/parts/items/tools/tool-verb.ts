import { ownToolIn } from '../../../../src/domain/transcript/own-tools.ts';
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

/** Signalbox's own tools. */
const OWN_VERBS: Readonly<Record<string, string>> = {
  ask_person: 'Ask you',
  find_sessions: 'Find sessions',
  read_session: 'Read session',
  start_session: 'Start session',
  send_to_session: 'Message',
  report: 'Report',
  annotate: 'Comment',
  answer_annotation: 'Answer',
};

export function toolVerb(kind: ToolKind, name = 'Earlier call'): string {
  const own = OWN_VERBS[ownToolIn(name) ?? ''];
  if (own !== undefined) return own;
  if (kind === 'other') return name;
  if (kind === 'todo') return taskVerb(name)?.label ?? VERBS.todo;
  if (kind !== 'mcp') return VERBS[kind];
  const named = mcpName(name);
  return named === undefined ? name : `${named.server} · ${named.tool}`;
}

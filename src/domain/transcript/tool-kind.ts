export type ToolKind = 'command' | 'edit' | 'write' | 'read' | 'search' | 'web' | 'mcp' | 'todo' | 'agent' | 'question' | 'plan' | 'other';

type Input = Readonly<Record<string, unknown>>;

const BY_NAME: readonly (readonly [RegExp, ToolKind])[] = [
  [/^mcp__.+?__/, 'mcp'],
  [/^(bash|shell|exec|run|terminal|command|killshell|bashoutput)/i, 'command'],
  [/^(multi_?edit|edit|str_replace|apply_?patch|patch|notebook_?edit)/i, 'edit'],
  [/^(write|create_?file)/i, 'write'],
  [/^(web|fetch|browse)/i, 'web'],
  [/^(todo|update_?plan|plan_?update|task_?(create|update|list|get))/i, 'todo'],
  [/^(task|agent|subagent|explore)$/i, 'agent'],
  [/^(read|view|cat|open|notebook_?read)/i, 'read'],
  [/^(grep|glob|search|find|ls|list)/i, 'search'],
];

/** How a call is best shown: by unmistakable arguments, by its usual name, otherwise by the shape of its arguments. */
export function toolKind(name: string | undefined, input: Input | undefined): ToolKind {
  if (Array.isArray(input?.questions)) return 'question';
  if (typeof input?.plan === 'string') return 'plan';
  const named = BY_NAME.find(([pattern]) => pattern.test(name ?? ''))?.[1];
  return named ?? byShape(input ?? {});
}

function byShape(input: Input): ToolKind {
  if (typeof input.command === 'string') return 'command';
  if (typeof input.old_string === 'string') return 'edit';
  if (typeof input.url === 'string') return 'web';
  return [input.todos, input.entries, input.plan].some(Array.isArray) ? 'todo' : 'other';
}

/** The server and the tool, from the way agents name the tools of MCP servers. */
export function mcpName(name: string): { readonly server: string; readonly tool: string } | undefined {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server === undefined || tool === undefined ? undefined : { server, tool };
}

const TASK_VERBS = [
  [/create/i, { label: 'Add task', activity: 'Adding a task:' }],
  [/update/i, { label: 'Update task', activity: 'Updating a task:' }],
  [/list/i, { label: 'List tasks', activity: 'Listing its tasks' }],
  [/get/i, { label: 'Read task', activity: 'Reading a task' }],
] as const;

/** What a call does with a single task of the agent's to-do list; undefined if it writes the whole list. */
export const taskVerb = (name: string): { readonly label: string; readonly activity: string } | undefined =>
  /^task_?\w/i.test(name) ? TASK_VERBS.find(([pattern]) => pattern.test(name))?.[1] : undefined;

const SUMMARY_ARGUMENTS = [
  'command',
  'pattern',
  'query',
  'file_path',
  'notebook_path',
  'path',
  'url',
  'description',
  'skill',
  'prompt',
  'name',
  'subject',
] as const;

/** The one argument that shows what the call is about. */
export function toolSummary(input: Input | undefined): string {
  if (input === undefined) return '';
  const found = SUMMARY_ARGUMENTS.map((name) => input[name]).find((value) => typeof value === 'string' || Array.isArray(value));
  const text = Array.isArray(found) ? found.filter((part) => typeof part === 'string').join(' ') : String(found ?? '');
  return firstLine(text);
}

/** The first line, with an ellipsis if there is more: the hidden part could be what matters. */
export function firstLine(text: string): string {
  const whole = text.trim();
  const end = whole.indexOf('\n');
  return end === -1 ? whole : `${whole.slice(0, end).trimEnd()} …`;
}

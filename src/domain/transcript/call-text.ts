import { ownToolIn, toolSubject, toolTitle } from './own-tools.ts';
import { firstLine, mcpName, type ToolKind, taskVerb, toolKind, toolSummary } from './tool-kind.ts';

type Input = Readonly<Record<string, unknown>>;

/** What a call is doing, and to what, in plain words. An unknown tool is shown by its name. */
export function callText(name: string, input: Input): string {
  const own = ownToolIn(name);
  if (own !== undefined) return [toolTitle(own), toolSubject(own, input)].filter((part) => part !== '').join(': ');
  const summary = toolSummary(input) || (isTask(input) ? '' : firstText(input));
  return summary === '' ? activity(name, input).replace(/:$/, '') : `${activity(name, input)} ${summary}`;
}

/** A task's number means nothing to a person. */
const isTask = ({ taskId }: Input): boolean => typeof taskId === 'string';

function activity(name: string, input: Input): string {
  const kind = toolKind(name, input);
  const mcp = mcpName(name);
  if (mcp !== undefined) return `Using ${mcp.tool} from ${mcp.server}:`;
  if (kind === 'todo') return taskVerb(name)?.activity ?? ACTIVITIES.todo;
  return kind === 'other' || kind === 'mcp' ? name : ACTIVITIES[kind];
}

const ACTIVITIES: Readonly<Record<Exclude<ToolKind, 'other' | 'mcp'>, string>> = {
  command: 'Running',
  edit: 'Editing',
  write: 'Writing',
  read: 'Reading',
  search: 'Searching',
  web: 'Browsing the web:',
  todo: 'Updating the to-do list',
  agent: 'Starting a subagent:',
  question: 'Asking',
  plan: 'Proposing a plan',
};

/** The first text argument, when no argument has a usual name. */
function firstText(input: Input): string {
  const text = Object.values(input).find((value) => typeof value === 'string');
  return typeof text === 'string' ? firstLine(text) : '';
}

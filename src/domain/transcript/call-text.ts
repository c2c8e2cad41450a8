import { firstLine, mcpName, type ToolKind, toolGist, toolKind } from './tool-kind.ts';

type Input = Readonly<Record<string, unknown>>;

/** What a call does and to what, in a person's terms; a tool that is like no other is called by its name. */
export function callText(name: string, input: Input): string {
  const gist = toolGist(input) || firstWords(input);
  return gist === '' ? doing(name, input).replace(/:$/, '') : `${doing(name, input)} ${gist}`;
}

function doing(name: string, input: Input): string {
  const kind = toolKind(name, input);
  const told = mcpName(name);
  if (told !== undefined) return `Uses ${told.tool} from ${told.server}:`;
  return kind === 'other' || kind === 'mcp' ? name : DOING[kind];
}

const DOING: Readonly<Record<Exclude<ToolKind, 'other' | 'mcp'>, string>> = {
  command: 'Runs',
  edit: 'Edits',
  write: 'Writes',
  read: 'Reads',
  search: 'Searches',
  web: 'Looks in the web:',
  todo: 'Writes down what is to do',
  agent: 'Sends a subagent:',
  question: 'Asks',
  plan: 'Has a plan',
};

/** The first short text among its arguments, when none of them has a usual name. */
function firstWords(input: Input): string {
  const words = Object.values(input).find((value) => typeof value === 'string');
  return typeof words === 'string' ? firstLine(words) : '';
}

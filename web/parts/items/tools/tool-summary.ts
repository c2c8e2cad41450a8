import { ownToolIn, toolSubject } from '../../../../src/domain/transcript/own-tools.ts';
import { todosOf } from '../../../../src/domain/transcript/todos.ts';
import { toolSummary as plainSummary, type ToolKind } from '../../../../src/domain/transcript/tool-kind.ts';
import { questionsOf } from '../../approvals/request/question.ts';
import { shortPath } from '../../approvals/request/short-path.ts';
import { todoSummary } from './todo-summary.ts';

type Input = Readonly<Record<string, unknown>>;

/** A tool call in one line, with paths relative to the session's folder. */
export function toolSummary(kind: ToolKind, input: Input | undefined, cwd: string | undefined, name = ''): string {
  if (input === undefined) return '';
  const own = ownToolIn(name);
  if (own !== undefined) return toolSubject(own, input);
  const usual = shortPath(plainSummary(input), cwd);
  switch (kind) {
    case 'read':
      return `${usual}${linesText(input)}`;
    case 'search':
      return inFolder(usual, input, cwd);
    case 'agent':
      return textOf(input.subagent_type) === '' ? usual : `${textOf(input.subagent_type)}: ${textOf(input.description) || usual}`;
    case 'question':
      return questionsOf(input)[0]?.question ?? '';
    case 'todo':
      return todosText(input) ?? usual;
    case 'mcp':
    case 'other':
      return usual === '' ? argumentsText(input) : usual;
    default:
      return usual;
  }
}

/** Simple arguments, side by side. */
const argumentsText = (input: Input): string =>
  Object.entries(input)
    .flatMap(([name, value]) => (typeof value === 'object' ? [] : [`${name}: ${String(value).split('\n', 1)[0]}`]))
    .join(', ');

/** The requested lines: `:10–29`, or `:10–` to the end. */
function linesText({ offset, limit }: Input): string {
  if (typeof offset !== 'number') return '';
  return `:${offset}–${typeof limit === 'number' ? offset + limit - 1 : ''}`;
}

function inFolder(usual: string, input: Input, cwd: string | undefined): string {
  const path = textOf(input.path);
  return path === '' || path === textOf(plainSummary(input)) ? usual : `${usual} in ${shortPath(path, cwd)}`;
}

function todosText(input: Input): string | undefined {
  const todos = todosOf(input);
  return todos === undefined ? undefined : todoSummary(todos);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

import { todosOf } from '../../../../src/domain/transcript/todos.ts';
import { type ToolKind, toolGist } from '../../../../src/domain/transcript/tool-kind.ts';
import { questionsOf } from '../../approvals/request/question.ts';
import { shortPath } from '../../approvals/request/short-path.ts';
import { todoWords } from './todo-words.ts';

type Input = Readonly<Record<string, unknown>>;

/** What a call is about, in one line; paths inside the session's folder as people say them. */
export function gistOf(kind: ToolKind, input: Input | undefined, cwd: string | undefined): string {
  if (input === undefined) return '';
  const usual = shortPath(toolGist(input), cwd);
  switch (kind) {
    case 'read':
      return `${usual}${linesText(input)}`;
    case 'search':
      return inPlace(usual, input, cwd);
    case 'agent':
      return textOf(input.subagent_type) === '' ? usual : `${textOf(input.subagent_type)}: ${textOf(input.description) || usual}`;
    case 'question':
      return questionsOf(input)[0]?.question ?? '';
    case 'todo':
      return todoGist(input) ?? usual;
    case 'mcp':
    case 'other':
      return usual === '' ? argumentsText(input) : usual;
    default:
      return usual;
  }
}

/** Arguments that are one word each, side by side. */
const argumentsText = (input: Input): string =>
  Object.entries(input)
    .flatMap(([name, value]) => (typeof value === 'object' ? [] : [`${name}: ${String(value).split('\n', 1)[0]}`]))
    .join(', ');

/** Which lines were asked for: `:10–29`, or `:10–` to the end. */
function linesText({ offset, limit }: Input): string {
  if (typeof offset !== 'number') return '';
  return `:${offset}–${typeof limit === 'number' ? offset + limit - 1 : ''}`;
}

function inPlace(usual: string, input: Input, cwd: string | undefined): string {
  const place = textOf(input.path);
  return place === '' || place === textOf(toolGist(input)) ? usual : `${usual} in ${shortPath(place, cwd)}`;
}

function todoGist(input: Input): string | undefined {
  const todos = todosOf(input);
  return todos === undefined ? undefined : todoWords(todos);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

import type { Subject } from '../../protocol/subject.ts';
import { firstLine, toolGist } from '../transcript/tool-kind.ts';

type Input = Readonly<Record<string, unknown>>;

/** What of a request tells a person what it is about. */
export interface Wish {
  readonly kind: 'tool' | 'question' | 'plan';
  readonly tool: string;
  readonly input: Input;
  readonly subject?: Subject | undefined;
}

/** What the request is about. Requests from before subjects were kept are told by the shape of their arguments. */
export function subjectOf({ subject, input }: Pick<Wish, 'subject' | 'input'>): Subject {
  if (subject !== undefined) return subject;
  return typeof input.command === 'string' ? { kind: 'command', command: input.command } : { kind: 'other' };
}

/** What the agent wants, in a person's terms. */
export function wantsText(request: Wish): string {
  if (request.kind === 'question') return 'asks';
  if (request.kind === 'plan') return 'has a plan';
  const subject = subjectOf(request);
  switch (subject.kind) {
    case 'command':
      return subject.background === true ? 'wants to run in the background' : 'wants to run';
    case 'edit':
      return subject.paths.length > 1 ? `wants to change ${subject.paths.length} files` : 'wants to change a file';
    case 'read':
      return 'wants to read';
    case 'web':
      return subject.url === undefined ? 'wants to search the web' : 'wants to open a web address';
    case 'mcp':
      return `wants to use ${subject.tool} from ${subject.server}`;
    case 'other':
      return `wants to use ${request.tool}`;
  }
}

/** What the agent wants and of what, in one line. */
export function wishText(request: Wish): string {
  const gist = request.kind === 'question' ? questionIn(request.input) : requestGist(request);
  if (gist === '') return wantsText(request);
  if (request.kind !== 'tool') return `${wantsText(request)}: ${gist}`;
  const subject = subjectOf(request);
  if (subject.kind === 'edit' && subject.paths.length === 1) return `wants to change ${gist}`;
  if (subject.kind === 'web' && subject.url !== undefined) return `wants to open ${gist}`;
  return `${wantsText(request)}${subject.kind === 'edit' || subject.kind === 'web' ? ':' : ''} ${gist}`;
}

/** The first of the questions that are asked. */
function questionIn({ questions }: Input): string {
  const first: unknown = Array.isArray(questions) ? questions[0] : undefined;
  return typeof first === 'object' && first !== null && 'question' in first && typeof first.question === 'string' ? first.question : '';
}

/** The one thing that tells a person what it is about, in one line. */
export function requestGist(request: Wish): string {
  return firstLine(gistOf(subjectOf(request)) ?? toolGist(request.input));
}

function gistOf(subject: Subject): string | undefined {
  switch (subject.kind) {
    case 'command':
      return subject.command;
    case 'edit':
    case 'read':
      return subject.paths.join(' ');
    case 'web':
      return subject.url ?? subject.query;
    case 'mcp':
    case 'other':
      return undefined;
  }
}

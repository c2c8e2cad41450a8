import type { Subject } from '../../protocol/subject.ts';
import { firstLine, toolSummary } from '../transcript/tool-kind.ts';
import { isScriptName } from '../worktree/trust-request.ts';

type Input = Readonly<Record<string, unknown>>;

/** The parts of a request that show what it is about. */
export interface RequestFacts {
  readonly kind: 'tool' | 'question' | 'plan';
  readonly tool: string;
  readonly input: Input;
  readonly subject?: Subject | undefined;
}

/** What the request is about. Old requests have no stored subject; the shape of their arguments decides. */
export function subjectOf({ subject, input }: Pick<RequestFacts, 'subject' | 'input'>): Subject {
  if (subject !== undefined) return subject;
  return typeof input.command === 'string' ? { kind: 'command', command: input.command } : { kind: 'other' };
}

/** What the agent wants, in a person's terms. */
export function wantsText(request: RequestFacts): string {
  if (request.kind === 'question') return 'asks';
  if (request.kind === 'plan') return 'proposes a plan';
  if (isScriptName(request.tool)) return `wants to run the repository’s ${request.tool.toLowerCase()}`;
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

/** What the agent wants and what it is about, in one line. */
export function requestText(request: RequestFacts): string {
  const summary = request.kind === 'question' ? questionIn(request.input) : requestSummary(request);
  if (summary === '') return wantsText(request);
  if (request.kind !== 'tool') return `${wantsText(request)}: ${summary}`;
  const subject = subjectOf(request);
  if (subject.kind === 'edit' && subject.paths.length === 1) return `wants to change ${summary}`;
  if (subject.kind === 'web' && subject.url !== undefined) return `wants to open ${summary}`;
  return `${wantsText(request)}${subject.kind === 'edit' || subject.kind === 'web' || isScriptName(request.tool) ? ':' : ''} ${summary}`;
}

/** The first question. */
function questionIn({ questions }: Input): string {
  const first: unknown = Array.isArray(questions) ? questions[0] : undefined;
  return typeof first === 'object' && first !== null && 'question' in first && typeof first.question === 'string' ? first.question : '';
}

/** The one thing that shows what it is about, in one line. */
export function requestSummary(request: RequestFacts): string {
  return firstLine(subjectSummary(subjectOf(request)) ?? toolSummary(request.input));
}

function subjectSummary(subject: Subject): string | undefined {
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

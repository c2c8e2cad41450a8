import { toolGist } from '../../src/domain/transcript/tool-kind.ts';
import type { Subject } from '../../src/protocol/subject.ts';

type Input = Readonly<Record<string, unknown>>;

/** What the card needs, whether it comes from a transcript or from the list of everything that waits. */
export interface Request {
  readonly requestId: string;
  readonly sessionId: string;
  readonly seq: number;
  readonly at: string;
  readonly tool: string;
  readonly input: Input;
  readonly title?: string | undefined;
  readonly kind: 'tool' | 'question' | 'plan';
  readonly toolUseId?: string | undefined;
  readonly subagent?: string | undefined;
  readonly subject?: Subject | undefined;
  readonly suggestions?: readonly Input[] | undefined;
}

/** What the request is about. Requests from before subjects were kept are told by the shape of their arguments. */
export function subjectOf({ subject, input }: Pick<Request, 'subject' | 'input'>): Subject {
  if (subject !== undefined) return subject;
  return typeof input.command === 'string' ? { kind: 'command', command: input.command } : { kind: 'other' };
}

/** What the agent wants, in a person's terms. */
export function wantsText(request: Request): string {
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

/** The one thing that tells a person what it is about, in one line. */
export function requestGist(request: Request): string {
  const subject = subjectOf(request);
  const gist = gistOf(subject) ?? toolGist(request.input);
  return gist.split('\n', 1)[0] ?? '';
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

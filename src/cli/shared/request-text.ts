import type { WaitingPermission } from '../../protocol/http.ts';
import { Questions } from '../../protocol/question.ts';
import type { Subject } from '../../protocol/subject.ts';
import { undescribedArguments } from '../../protocol/subject-fields.ts';
import { printableLine } from './paint.ts';

/** What the agent wants: one line, and the details below it. */
export interface RequestText {
  readonly wants: string;
  readonly details: string;
}

export function requestText({ kind, subject, tool, input }: WaitingPermission): RequestText {
  if (kind === 'question') return { wants: 'asks', details: questionText(input) };
  if (kind === 'plan') return { wants: 'proposes a plan', details: typeof input.plan === 'string' ? input.plan : 'Open the session to read the plan.' };
  switch (subject?.kind) {
    case 'command':
      return { wants: 'wants to run', details: withOthers(subject.command, subject, input) };
    case 'edit':
      return { wants: `wants to change ${subject.paths.map(printableLine).join(', ')}`, details: pretty(input) };
    case 'read':
      return { wants: 'wants to read', details: withOthers(subject.paths.map(printableLine).join('\n'), subject, input) };
    case 'web':
      return { wants: 'wants to access the web', details: withOthers(subject.url ?? subject.query ?? '', subject, input) };
    case 'mcp':
      return { wants: `wants to use ${subject.tool} from ${subject.server}`, details: pretty(input) };
    case 'other':
    case undefined:
      return { wants: `wants to use ${tool}`, details: pretty(input) };
  }
}

/** Arguments that the subject leaves out are part of the request too. */
function withOthers(text: string, subject: Subject, input: Readonly<Record<string, unknown>>): string {
  const others = Object.entries(undescribedArguments(subject, input)).map(([name, value]) => `${printableLine(name)}: ${JSON.stringify(value)}`);
  return [text, ...others].join('\n');
}

const pretty = (input: Readonly<Record<string, unknown>>): string => JSON.stringify(input, null, 2);

function questionText(input: Readonly<Record<string, unknown>>): string {
  const parsed = Questions.safeParse(input);
  if (!parsed.success) return pretty(input);
  return parsed.data.questions
    .map(({ question, multiSelect, options }, at) => {
      const choices = options.map(({ label, description }) => `   - ${label}${description === undefined ? '' : `: ${description}`}`);
      return [`${at + 1}. ${question}${multiSelect === true ? ' (choose any number)' : ''}`, ...choices].join('\n');
    })
    .join('\n');
}

import type { WaitingPermission } from '../protocol/http.ts';
import { Questions } from '../protocol/question.ts';
import type { Subject } from '../protocol/subject.ts';
import { untoldArguments } from '../protocol/subject-fields.ts';
import { harmlessLine } from './paint.ts';

/** What the agent wants, in one line, with all that it is about below it. */
export interface RequestWords {
  readonly wants: string;
  readonly whole: string;
}

export function requestWords({ kind, subject, tool, input }: WaitingPermission): RequestWords {
  if (kind === 'question') return { wants: 'asks', whole: questionText(input) };
  if (kind === 'plan') return { wants: 'has a plan', whole: typeof input.plan === 'string' ? input.plan : 'The plan stands in the session.' };
  switch (subject?.kind) {
    case 'command':
      return { wants: 'wants to run', whole: withOthers(subject.command, subject, input) };
    case 'edit':
      return { wants: `wants to change ${subject.paths.map(harmlessLine).join(', ')}`, whole: pretty(input) };
    case 'read':
      return { wants: 'wants to read', whole: withOthers(subject.paths.map(harmlessLine).join('\n'), subject, input) };
    case 'web':
      return { wants: 'wants to go to the web', whole: withOthers(subject.url ?? subject.query ?? '', subject, input) };
    case 'mcp':
      return { wants: `wants to use ${subject.tool} from ${subject.server}`, whole: pretty(input) };
    case 'other':
    case undefined:
      return { wants: `wants to use ${tool}`, whole: pretty(input) };
  }
}

/** What the subject leaves out is part of what is asked for. */
function withOthers(text: string, subject: Subject, input: Readonly<Record<string, unknown>>): string {
  const others = Object.entries(untoldArguments(subject, input)).map(([name, value]) => `also ${harmlessLine(name)}: ${JSON.stringify(value)}`);
  return [text, ...others].join('\n');
}

const pretty = (input: Readonly<Record<string, unknown>>): string => JSON.stringify(input, null, 2);

function questionText(input: Readonly<Record<string, unknown>>): string {
  const parsed = Questions.safeParse(input);
  if (!parsed.success) return pretty(input);
  return parsed.data.questions
    .map(({ question, multiSelect, options }, at) => {
      const choices = options.map(({ label, description }) => `   - ${label}${description === undefined ? '' : `: ${description}`}`);
      return [`${at + 1}. ${question}${multiSelect === true ? ' (any of)' : ''}`, ...choices].join('\n');
    })
    .join('\n');
}

import { type Question, Questions } from '../../../../src/protocol/question.ts';

export type { Question };

/** The questions in a request's arguments; empty if they are something else. */
export function questionsOf(input: Readonly<Record<string, unknown>>): readonly Question[] {
  const parsed = Questions.safeParse(input);
  return parsed.success ? parsed.data.questions : [];
}

/** Why these can't be answered: the arguments are not questions, or two questions are identical. */
export function whyUnanswerable(questions: readonly Question[]): string | undefined {
  if (questions.length === 0) return 'This can’t be read as a question, so you can only skip it.';
  const texts = questions.map(({ question }) => question);
  if (new Set(texts).size === texts.length) return undefined;
  return 'Two of these questions have the same text, so an answer would be ambiguous. You can only skip them.';
}

/** What a person has chosen or written so far for one question. */
export interface Reply {
  readonly chosen: readonly string[];
  readonly own: string;
}

export const NO_REPLY: Reply = { chosen: [], own: '' };

export const isReplied = ({ chosen, own }: Reply): boolean => chosen.length > 0 || own.trim() !== '';

/** In a single choice the last option counts, and free text replaces it. */
export function choose(question: Question, reply: Reply, label: string): Reply {
  if (question.multiSelect !== true) return { chosen: [label], own: '' };
  const chosen = reply.chosen.includes(label) ? reply.chosen.filter((each) => each !== label) : [...reply.chosen, label];
  return { ...reply, chosen };
}

export const write = (question: Question, reply: Reply, own: string): Reply => ({ chosen: question.multiSelect === true ? reply.chosen : [], own });

/** The answers as sent to the server: one per question; several choices as a list in the order of the options. */
export function answersOf(questions: readonly Question[], replies: ReadonlyMap<string, Reply>): Record<string, string | string[]> {
  return Object.fromEntries(
    questions.map((question) => {
      const { chosen, own } = replies.get(question.question) ?? NO_REPLY;
      const words = own.trim() === '' ? [] : [own.trim()];
      const labels = question.options.map((option) => option.label).filter((label) => chosen.includes(label));
      return [question.question, question.multiSelect === true ? [...labels, ...words] : (words[0] ?? labels[0] ?? '')];
    }),
  );
}

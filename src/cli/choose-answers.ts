import { type Question, Questions } from '../protocol/question.ts';
import { UsageProblem } from './command.ts';

/** `Question=Label` of the command line, by the question: its number, or the beginning of its words. */
export function chosenAnswers(input: Readonly<Record<string, unknown>>, choices: readonly string[]): Record<string, string | string[]> {
  const parsed = Questions.safeParse(input);
  if (!parsed.success) throw new UsageProblem('this request is no question');
  const { questions } = parsed.data;
  const twice = questions.find(({ question }, at) => questions.findIndex((other) => other.question === question) !== at);
  if (twice !== undefined) throw new UsageProblem(`two questions read "${twice.question}", so no answer could tell them apart: deny it and say so`);
  const answers: Record<string, string | string[]> = {};
  for (const choice of choices) {
    const [question, label] = split(questions, choice);
    const before = answers[question.question];
    answers[question.question] = question.multiSelect === true ? [...(Array.isArray(before) ? before : []), label] : label;
  }
  const open = questions.find((question) => answers[question.question] === undefined);
  if (open !== undefined) throw new UsageProblem(`"${open.question}" has no answer yet: add --choose "${questions.indexOf(open) + 1}=…"`);
  return answers;
}

/** A label may hold "=" itself, and with one question its name may be left out. */
function split(questions: readonly Question[], choice: string): readonly [Question, string] {
  const at = choice.indexOf('=');
  const name = choice.slice(0, Math.max(0, at)).trim();
  const fitting = questions.filter((question, number) => String(number + 1) === name || (name !== '' && question.question.startsWith(name)));
  const [only] = questions;
  if (fitting.length === 0 && questions.length === 1 && only !== undefined && at < 0) return [only, choice.trim()];
  const [question, other] = fitting;
  if (question === undefined) throw new UsageProblem(`no question is named by "${choice}"; write --choose "1=Label"`);
  if (other !== undefined) throw new UsageProblem(`"${name}" names several questions; use their numbers`);
  return [question, choice.slice(at + 1).trim()];
}

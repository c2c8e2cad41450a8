import { readFileSync } from 'node:fs';
import type * as z from 'zod/mini';
import type { AnswerBody } from '../../protocol/command.ts';
import type { WaitingPermission } from '../../protocol/http.ts';
import { type Question, Questions } from '../../protocol/question.ts';
import type { Remember } from '../../protocol/rule.ts';
import type { PermissionMode } from '../../protocol/session.ts';
import { CliProblem, UsageProblem } from './command.ts';
import { editedInEditor, editedInput } from './edit-input.ts';

/** What the command line asked for. */
export interface AnswerOptions {
  readonly behavior: 'allow' | 'deny';
  readonly choices: readonly string[];
  readonly message: string | undefined;
  readonly interrupt: boolean;
  readonly file: string | undefined;
  readonly editor: string | undefined;
  readonly remember: Remember | undefined;
  readonly mode: PermissionMode | undefined;
}

/** The body to send. Options that depend on the request itself fail when it is no longer open. */
export async function answerBody(options: AnswerOptions, request: WaitingPermission | undefined): Promise<z.infer<typeof AnswerBody>> {
  const { behavior, message } = options;
  const updatedInput = await changedInput(options, request);
  return {
    behavior,
    ...(message !== undefined && { message }),
    ...(options.interrupt && { interrupt: true }),
    ...(updatedInput !== undefined && { updatedInput }),
    ...(options.choices.length > 0 && { answers: chosenAnswers(openRequest(request).input, options.choices) }),
    ...(options.remember !== undefined && { remember: options.remember }),
    ...(options.mode !== undefined && { mode: options.mode }),
  };
}

async function changedInput({ file, editor }: AnswerOptions, request: WaitingPermission | undefined): Promise<Record<string, unknown> | undefined> {
  if (file !== undefined) return editedInput(openRequest(request), readText(file));
  return editor === undefined ? undefined : editedInEditor(openRequest(request), editor);
}

function openRequest(request: WaitingPermission | undefined): WaitingPermission {
  if (request === undefined) throw new CliProblem('This request is no longer open. Run "signalbox inbox" to see the open ones.');
  return request;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CliProblem(`Can't read ${file}. Check the path and its permissions.`, { cause });
  }
}

/** Reads `--choose Question=Label`; a question is named by its number or the start of its text. */
function chosenAnswers(input: Readonly<Record<string, unknown>>, choices: readonly string[]): Record<string, string | string[]> {
  const parsed = Questions.safeParse(input);
  if (!parsed.success) throw new UsageProblem('--choose only works for questions, and this request is not one');
  const { questions } = parsed.data;
  const twice = questions.find(({ question }, at) => questions.findIndex((other) => other.question === question) !== at);
  if (twice !== undefined)
    throw new UsageProblem(`two questions have the same text, "${twice.question}", so they can't be answered separately; deny the request and say so`);
  const answers: Record<string, string | string[]> = {};
  for (const choice of choices) {
    const [question, label] = splitChoice(questions, choice);
    const before = answers[question.question];
    answers[question.question] = question.multiSelect === true ? [...(Array.isArray(before) ? before : []), label] : label;
  }
  const open = questions.find((question) => answers[question.question] === undefined);
  if (open !== undefined) throw new UsageProblem(`"${open.question}" has no answer; add --choose "${questions.indexOf(open) + 1}=…"`);
  return answers;
}

/** A label can contain "=". With a single question, its name is optional. */
function splitChoice(questions: readonly Question[], choice: string): readonly [Question, string] {
  const at = choice.indexOf('=');
  const name = choice.slice(0, Math.max(0, at)).trim();
  const matching = questions.filter((question, number) => String(number + 1) === name || (name !== '' && question.question.startsWith(name)));
  const [only] = questions;
  if (matching.length === 0 && questions.length === 1 && only !== undefined && at < 0) return [only, choice.trim()];
  const [question, other] = matching;
  if (question === undefined) throw new UsageProblem(`"${choice}" matches no question; use --choose "1=Label"`);
  if (other !== undefined) throw new UsageProblem(`"${name}" matches several questions; use their numbers`);
  return [question, choice.slice(at + 1).trim()];
}

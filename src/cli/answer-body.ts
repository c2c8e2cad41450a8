import { readFileSync } from 'node:fs';
import type * as z from 'zod/mini';
import type { AnswerBody } from '../protocol/command.ts';
import type { WaitingPermission } from '../protocol/http.ts';
import type { Remember } from '../protocol/rule.ts';
import type { PermissionMode } from '../protocol/session.ts';
import { chosenAnswers } from './choose-answers.ts';
import { CliProblem } from './command.ts';
import { editedInEditor, editedInput } from './edit-input.ts';

/** What was said on the command line. */
export interface AnswerWords {
  readonly behavior: 'allow' | 'deny';
  readonly choices: readonly string[];
  readonly message: string | undefined;
  readonly interrupt: boolean;
  readonly file: string | undefined;
  readonly editor: string | undefined;
  readonly remember: Remember | undefined;
  readonly mode: PermissionMode | undefined;
}

/** The answer as the server takes it. What needs to be seen of the request fails when that no longer waits. */
export async function answerBody(words: AnswerWords, request: WaitingPermission | undefined): Promise<z.infer<typeof AnswerBody>> {
  const { behavior, message } = words;
  const said = { behavior, ...(message !== undefined && { message }), ...(words.interrupt && { interrupt: true }) };
  const updatedInput = await changed(words, request);
  return {
    ...said,
    ...(updatedInput !== undefined && { updatedInput }),
    ...(words.choices.length > 0 && { answers: chosenAnswers(waits(request).input, words.choices) }),
    ...(words.remember !== undefined && { remember: words.remember }),
    ...(words.mode !== undefined && { mode: words.mode }),
  };
}

async function changed({ file, editor }: AnswerWords, request: WaitingPermission | undefined): Promise<Record<string, unknown> | undefined> {
  if (file !== undefined) return editedInput(waits(request), textOfFile(file));
  return editor === undefined ? undefined : editedInEditor(waits(request), editor);
}

function waits(request: WaitingPermission | undefined): WaitingPermission {
  if (request === undefined) throw new CliProblem('This request does not wait any more; signalbox inbox lists what does.');
  return request;
}

function textOfFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CliProblem(`${file} cannot be read`, { cause });
  }
}

import { parseId, resultLine } from '../formats/json-rpc.ts';
import { isObject, list, text } from '../formats/shape.ts';
import type { SendIntent, Verdict } from '../port/adapter.ts';

type Answer = Extract<SendIntent, { kind: 'answer' }>;

/** Only a question request has `questions` in its input. */
export const answerLines = ({ agentRequestId, input, verdict }: Answer): readonly string[] => [
  resultLine(parseId(agentRequestId), Array.isArray(input.questions) ? { answers: answersOf(verdict, input) } : { decision: decisionOf(verdict, input) }),
];

/** Codex can only run exactly what it asked for: an edited call must not run in its original form. It doesn't accept a reason for a denial. */
function decisionOf(verdict: Verdict, input: Answer['input']): unknown {
  if (verdict.behavior === 'deny') return verdict.interrupt ? 'cancel' : 'decline';
  const { updatedInput, granted } = verdict;
  if (updatedInput !== undefined && JSON.stringify(updatedInput) !== JSON.stringify(input)) return 'decline';
  if (granted === undefined || granted.suggestions.length === 0) return 'accept';
  const amendment = granted.suggestions.map((suggestion) => suggestion.amendment).find(isWords);
  return amendment === undefined || granted.forSession ? 'acceptForSession' : { acceptWithExecpolicyAmendment: { execpolicy_amendment: amendment } };
}

const isWords = list(text);

/** Answers are keyed by the question's text; Codex wants them keyed by its id. */
function answersOf(verdict: Verdict, input: Answer['input']): Readonly<Record<string, { readonly answers: readonly string[] }>> {
  const given = verdict.behavior === 'allow' ? (verdict.answers ?? verdict.updatedInput?.answers ?? input.answers) : undefined;
  const questions: readonly unknown[] = Array.isArray(input.questions) ? input.questions : [];
  return Object.fromEntries(
    questions.flatMap((asked) => {
      if (!isObject(asked) || !text(asked.id) || !text(asked.question) || !isObject(given)) return [];
      const answers = [given[asked.question]].flat().filter(text);
      return answers.length === 0 ? [] : [[asked.id, { answers }]];
    }),
  );
}

/** The result of one of our own tools. A failed call looks to the model like any other (0.166.0), so the text has to say what went wrong. */
export const toolAnswerLine = ({ agentRequestId, text: words, isError }: Extract<SendIntent, { kind: 'tool-answer' }>): string =>
  resultLine(parseId(agentRequestId), { contentItems: [{ type: 'inputText', text: words }], success: !isError });

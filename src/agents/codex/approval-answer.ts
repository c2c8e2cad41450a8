import type { SendIntent, Verdict } from '../adapter.ts';
import { idKept, resultLine } from '../formats/json-rpc.ts';
import { isObject, list, text } from '../formats/shape.ts';

type Answer = Extract<SendIntent, { kind: 'answer' }>;

/** Only a question has questions in what was asked. */
export const answerLines = ({ agentRequestId, input, verdict }: Answer): readonly string[] => [
  resultLine(idKept(agentRequestId), Array.isArray(input.questions) ? { answers: answersOf(verdict, input) } : { decision: decisionOf(verdict, input) }),
];

/** Codex runs what it asked for and nothing else: what a person changed must not run in its first form. It has no ear for the reason of a refusal. */
function decisionOf(verdict: Verdict, input: Answer['input']): unknown {
  if (verdict.behavior === 'deny') return verdict.interrupt ? 'cancel' : 'decline';
  const { updatedInput, granted } = verdict;
  if (updatedInput !== undefined && JSON.stringify(updatedInput) !== JSON.stringify(input)) return 'decline';
  if (granted === undefined || granted.suggestions.length === 0) return 'accept';
  const amendment = granted.suggestions.map((suggestion) => suggestion.amendment).find(isWords);
  return amendment === undefined || granted.forSession ? 'acceptForSession' : { acceptWithExecpolicyAmendment: { execpolicy_amendment: amendment } };
}

const isWords = list(text);

/** Answers come by the words of the question; Codex wants them by its id. */
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

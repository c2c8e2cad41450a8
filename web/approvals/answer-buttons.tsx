import { useState } from 'react';
import { KeyHint } from '../ui/key-hint.tsx';
import { useShortcuts } from '../ui/use-shortcuts.ts';
import { questionsOf } from './question.ts';
import { QuestionFields } from './question-fields.tsx';
import type { Request } from './request.ts';

interface AnswerButtonsProps {
  readonly request: Request;
  readonly hasKeys: boolean;
  readonly onAllow: (updated: { readonly updatedInput?: Readonly<Record<string, unknown>> }) => void;
  readonly onDeny: () => void;
}

const ALLOW = { tool: 'Allow', question: 'Answer', plan: 'Go ahead' } as const;
const DENY = { tool: 'Deny…', question: 'Skip…', plan: 'Revise…' } as const;

/** The two answers; a question is answered only when every part of it is. */
export function AnswerButtons({ request, hasKeys, onAllow, onDeny }: AnswerButtonsProps) {
  const [answers, setAnswers] = useState<Readonly<Record<string, string>>>({});
  const questions = request.kind === 'question' ? questionsOf(request.input) : [];
  const isComplete = questions.every((question) => (answers[question.question] ?? '') !== '');
  const allow = () => {
    if (isComplete) onAllow(questions.length === 0 ? {} : { updatedInput: { ...request.input, answers } });
  };
  const deny = (event: KeyboardEvent) => {
    event.preventDefault();
    onDeny();
  };
  useShortcuts(hasKeys ? { y: allow, n: deny } : {});
  return (
    <>
      <QuestionFields questions={questions} answers={answers} onAnswer={(question, answer) => setAnswers((before) => ({ ...before, [question]: answer }))} />
      <div className="answer-buttons">
        <button type="button" className="button primary" disabled={!isComplete} onClick={allow}>
          {ALLOW[request.kind]} {hasKeys && <KeyHint>y</KeyHint>}
        </button>
        <button type="button" className="button plain" onClick={onDeny}>
          {DENY[request.kind]} {hasKeys && <KeyHint>n</KeyHint>}
        </button>
      </div>
    </>
  );
}

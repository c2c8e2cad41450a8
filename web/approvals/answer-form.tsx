import { useRef, useState } from 'react';
import { useApp, useCockpit } from '../app/cockpit-context.ts';
import { KeyHint } from '../ui/key-hint.tsx';
import { useShortcuts } from '../ui/use-shortcuts.ts';
import { questionsOf } from './question.ts';
import { QuestionFields } from './question-fields.tsx';
import type { Request } from './request.ts';

interface AnswerFormProps {
  readonly request: Request;
  /** Whether `y` and `n` mean this one. */
  readonly hasKeys: boolean;
}

/** Allow or deny, with a reason; says plainly while the answer is on its way. */
export function AnswerForm({ request, hasKeys }: AnswerFormProps) {
  const cockpit = useCockpit();
  const { requestId, sessionId } = request;
  const sent = useApp((state) => state.unsent.find((entry) => entry.frame.type === 'permission' && entry.frame.requestId === requestId)?.frame);
  const isOpen = useApp((state) => state.phase.name === 'open');
  const [reason, setReason] = useState<string>();
  const [answers, setAnswers] = useState<Readonly<Record<string, string>>>({});
  const reasonField = useRef<HTMLInputElement>(null);
  const questions = request.kind === 'question' ? questionsOf(request.input) : [];
  const isComplete = questions.every((question) => (answers[question.question] ?? '') !== '');
  const allow = () => {
    if (!isComplete) return;
    const updated = questions.length === 0 ? {} : { updatedInput: { ...request.input, answers } };
    void cockpit.answer({ requestId, sessionId, behavior: 'allow', ...updated });
  };
  const deny = () => void cockpit.answer({ requestId, sessionId, behavior: 'deny', ...(reason === undefined ? {} : { message: reason }) });
  const askReason = (event?: KeyboardEvent) => {
    event?.preventDefault();
    setReason('');
    requestAnimationFrame(() => reasonField.current?.focus());
  };
  useShortcuts(hasKeys && sent === undefined ? { y: allow, n: askReason } : {});
  if (sent?.type === 'permission') return <p className="answer-sent">{sentText(sent.behavior, isOpen)}</p>;
  if (reason !== undefined) {
    return (
      <form className="deny-form" action={deny}>
        <input
          ref={reasonField}
          value={reason}
          placeholder="Tell the agent why (may stay empty)"
          aria-label="Reason"
          onChange={(event) => setReason(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && (event.preventDefault(), setReason(undefined))}
        />
        <button type="submit" className="button">
          Deny
        </button>
        <button type="button" className="button plain" onClick={() => setReason(undefined)}>
          Back
        </button>
      </form>
    );
  }
  return (
    <>
      <QuestionFields questions={questions} answers={answers} onAnswer={(question, answer) => setAnswers((before) => ({ ...before, [question]: answer }))} />
      <div className="answer-buttons">
        <button type="button" className="button primary" disabled={!isComplete} onClick={allow}>
          {ALLOW[request.kind]} {hasKeys && <KeyHint>y</KeyHint>}
        </button>
        <button type="button" className="button plain" onClick={() => askReason()}>
          {DENY[request.kind]} {hasKeys && <KeyHint>n</KeyHint>}
        </button>
      </div>
    </>
  );
}

const ALLOW = { tool: 'Allow', question: 'Answer', plan: 'Go ahead' } as const;
const DENY = { tool: 'Deny…', question: 'Skip…', plan: 'Revise…' } as const;

function sentText(behavior: 'allow' | 'deny', isOpen: boolean): string {
  const word = behavior === 'allow' ? 'Allowed' : 'Denied';
  return isOpen ? `${word}; telling the server…` : `${word}, but not yet sent: there is no connection. It is kept here and sent when it is back.`;
}

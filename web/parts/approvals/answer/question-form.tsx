import { useState } from 'react';
import { TextBoundary } from '../../../base/ui/plain-text.tsx';
import { ArgumentsTree } from '../request/arguments-tree.tsx';
import { answersOf, choose, isReplied, NO_REPLY, type Question, questionsOf, type Reply, whyUnanswerable, write } from '../request/question.ts';
import type { AnswerViewProps } from './answer-form.tsx';
import { useCardKeys } from './card-keys.ts';
import { KeyButton } from './key-button.tsx';
import { QuestionField } from './question-field.tsx';

/** Every question with its options and a free-text answer. Questions that can't be answered are shown as raw arguments. */
export function QuestionForm(props: AnswerViewProps) {
  const questions = questionsOf(props.request.input);
  const why = whyUnanswerable(questions);
  return why === undefined ? <Answerable {...props} questions={questions} /> : <Unanswerable {...props} why={why} />;
}

/** Digit keys choose in the first unanswered question. */
function Answerable({ questions, hasKeys, onVerdict, onView, draft, onDraft }: AnswerViewProps & { readonly questions: readonly Question[] }) {
  const replies = new Map(draft.replies);
  const [touched, setTouched] = useState<string>();
  const replyTo = (question: Question): Reply => replies.get(question.question) ?? NO_REPLY;
  const set = (question: Question, reply: Reply) => {
    setTouched(question.question);
    onDraft({ replies: [...replies.set(question.question, reply)] });
  };
  const isComplete = questions.every((question) => isReplied(replyTo(question)));
  const active = activeQuestion(questions, replyTo, touched);
  const send = () => isComplete && onVerdict({ behavior: 'allow', answers: answersOf(questions, replies) });
  const chooseBy = (digit: string | undefined) => {
    const option = active?.options[Number(digit) - 1];
    if (active !== undefined && option !== undefined) set(active, choose(active, replyTo(active), option.label));
  };
  useCardKeys(hasKeys, { 'request.choose': (event) => chooseBy(event?.key), 'request.allow': send, 'request.deny': () => onView('deny') });
  return (
    <>
      {questions.map((question) => (
        <TextBoundary key={question.question} of={question.question} text={() => JSON.stringify(question, null, 2)}>
          <QuestionField
            question={question}
            reply={replyTo(question)}
            hasDigits={hasKeys && question === active}
            onChoose={(label) => set(question, choose(question, replyTo(question), label))}
            onWrite={(own) => set(question, write(question, replyTo(question), own))}
            onTouch={() => setTouched(question.question)}
            onSend={send}
          />
        </TextBoundary>
      ))}
      <div className="answer-buttons">
        <KeyButton label="Answer" keyName="y" hasKey={hasKeys && isComplete} look="primary" isOff={!isComplete} onPress={send} />
        <KeyButton label="Skip…" keyName="n" hasKey={hasKeys} look="plain" onPress={() => onView('deny')} />
      </div>
    </>
  );
}

function Unanswerable({ request, hasKeys, onView, why }: AnswerViewProps & { readonly why: string }) {
  useCardKeys(hasKeys, { 'request.deny': () => onView('deny') });
  return (
    <>
      <TextBoundary of={request.requestId} text={() => JSON.stringify(request.input, null, 2)}>
        <ArgumentsTree value={request.input} />
      </TextBoundary>
      <p className="request-note">{why}</p>
      <div className="answer-buttons">
        <KeyButton label="Answer" keyName="y" hasKey={false} look="primary" isOff onPress={() => undefined} />
        <KeyButton label="Skip…" keyName="n" hasKey={hasKeys} look="plain" onPress={() => onView('deny')} />
      </div>
    </>
  );
}

/** A multiple-choice question stays active while it is being answered; otherwise the first one without a reply, and finally the one touched last. */
function activeQuestion(questions: readonly Question[], replyTo: (question: Question) => Reply, touched: string | undefined): Question | undefined {
  const last = questions.find((question) => question.question === touched);
  if (last !== undefined && (last.multiSelect === true || !isReplied(replyTo(last)))) return last;
  return questions.find((question) => !isReplied(replyTo(question))) ?? last ?? questions[0];
}

import { useState } from 'react';
import { TextBoundary } from '../../../base/ui/plain-text.tsx';
import { ArgumentsTree } from '../request/arguments-tree.tsx';
import { answersOf, choose, isReplied, NO_REPLY, type Question, questionsOf, type Reply, whyUnanswerable, write } from '../request/question.ts';
import type { FaceProps } from './answer-form.tsx';
import { useCardKeys } from './card-keys.ts';
import { KeyButton } from './key-button.tsx';
import { QuestionField } from './question-field.tsx';

/** Every question with its choices and own words. What cannot be answered is shown as it came. */
export function QuestionForm(props: FaceProps) {
  const questions = questionsOf(props.request.input);
  const why = whyUnanswerable(questions);
  return why === undefined ? <Answerable {...props} questions={questions} /> : <Unanswerable {...props} why={why} />;
}

/** Digits choose in the first that is still open. */
function Answerable({ questions, hasKeys, onVerdict, onFace, draft, onDraft }: FaceProps & { readonly questions: readonly Question[] }) {
  const replies = new Map(draft.replies);
  const [touched, setTouched] = useState<string>();
  const replyTo = (question: Question): Reply => replies.get(question.question) ?? NO_REPLY;
  const set = (question: Question, reply: Reply) => {
    setTouched(question.question);
    onDraft({ replies: [...replies.set(question.question, reply)] });
  };
  const isWhole = questions.every((question) => isReplied(replyTo(question)));
  const asked = askedNow(questions, replyTo, touched);
  const send = () => isWhole && onVerdict({ behavior: 'allow', answers: answersOf(questions, replies) });
  const chooseBy = (digit: string | undefined) => {
    const option = asked?.options[Number(digit) - 1];
    if (asked !== undefined && option !== undefined) set(asked, choose(asked, replyTo(asked), option.label));
  };
  useCardKeys(hasKeys, { 'request.choose': (event) => chooseBy(event?.key), 'request.allow': send, 'request.deny': () => onFace('deny') });
  return (
    <>
      {questions.map((question) => (
        <TextBoundary key={question.question} of={question.question} text={() => JSON.stringify(question, null, 2)}>
          <QuestionField
            question={question}
            reply={replyTo(question)}
            hasDigits={hasKeys && question === asked}
            onChoose={(label) => set(question, choose(question, replyTo(question), label))}
            onWrite={(own) => set(question, write(question, replyTo(question), own))}
            onTouch={() => setTouched(question.question)}
            onSend={send}
          />
        </TextBoundary>
      ))}
      <div className="answer-buttons">
        <KeyButton label="Answer" keyName="y" hasKey={hasKeys && isWhole} look="primary" isOff={!isWhole} onPress={send} />
        <KeyButton label="Skip…" keyName="n" hasKey={hasKeys} look="plain" onPress={() => onFace('deny')} />
      </div>
    </>
  );
}

function Unanswerable({ request, hasKeys, onFace, why }: FaceProps & { readonly why: string }) {
  useCardKeys(hasKeys, { 'request.deny': () => onFace('deny') });
  return (
    <>
      <TextBoundary of={request.requestId} text={() => JSON.stringify(request.input, null, 2)}>
        <ArgumentsTree value={request.input} />
      </TextBoundary>
      <p className="request-note">{why}</p>
      <div className="answer-buttons">
        <KeyButton label="Answer" keyName="y" hasKey={false} look="primary" isOff onPress={() => undefined} />
        <KeyButton label="Skip…" keyName="n" hasKey={hasKeys} look="plain" onPress={() => onFace('deny')} />
      </div>
    </>
  );
}

/** Several choices stay asked while they are being made; otherwise the first without a reply, and at last the one touched last. */
function askedNow(questions: readonly Question[], replyTo: (question: Question) => Reply, touched: string | undefined): Question | undefined {
  const last = questions.find((question) => question.question === touched);
  if (last !== undefined && (last.multiSelect === true || !isReplied(replyTo(last)))) return last;
  return questions.find((question) => !isReplied(replyTo(question))) ?? last ?? questions[0];
}

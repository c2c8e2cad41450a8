import { useState } from 'react';
import { KeyHint } from '../../../base/ui/key-hint.tsx';
import { VisibleLine, VisibleText } from '../../../base/ui/visible-text.tsx';
import type { Question, Reply } from '../request/question.ts';

interface QuestionFieldProps {
  readonly question: Question;
  readonly reply: Reply;
  /** Whether digit keys choose here. */
  readonly hasDigits: boolean;
  readonly onChoose: (label: string) => void;
  readonly onWrite: (own: string) => void;
  readonly onTouch: () => void;
  readonly onSend: () => void;
}

export function QuestionField({ question, reply, hasDigits, onChoose, onWrite, onTouch, onSend }: QuestionFieldProps) {
  // Under a question that is answered, the text box is closed.
  const [isAskedFor, setAskedFor] = useState(false);
  const isOpen = isAskedFor || reply.chosen.length === 0 || question.multiSelect === true || reply.own !== '';
  return (
    <fieldset className="question" onFocusCapture={onTouch}>
      <legend>
        <VisibleText text={question.question} />
        {question.multiSelect === true && <span className="quiet"> Choose any number</span>}
      </legend>
      <div className="question-options">
        {question.options.map((option, at) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: the options of one question never move, and two may read the same
            key={at}
            type="button"
            className="button option"
            aria-pressed={reply.chosen.includes(option.label)}
            onClick={() => {
              setAskedFor(false);
              onChoose(option.label);
            }}
          >
            {hasDigits && at < 9 && <KeyHint>{String(at + 1)}</KeyHint>}
            <span className="option-words">
              <VisibleLine text={option.label} />
              {option.description !== undefined && (
                <small>
                  <VisibleText text={option.description} />
                </small>
              )}
            </span>
          </button>
        ))}
      </div>
      {isOpen ? (
        <input
          className="other-answer"
          aria-label={`Other answer: ${question.question}`}
          placeholder="Other…"
          // biome-ignore lint/a11y/noAutofocus: the person has just asked to type here
          autoFocus={isAskedFor}
          value={reply.own}
          onChange={(event) => onWrite(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && !event.nativeEvent.isComposing && onSend()}
        />
      ) : (
        <button type="button" className="text-button other-answer-button" onClick={() => setAskedFor(true)}>
          Other…
        </button>
      )}
    </fieldset>
  );
}

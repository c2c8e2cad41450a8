import type { Question } from './question.ts';

interface QuestionFieldsProps {
  readonly questions: readonly Question[];
  readonly answers: Readonly<Record<string, string>>;
  readonly onAnswer: (question: string, answer: string) => void;
}

export function QuestionFields({ questions, answers, onAnswer }: QuestionFieldsProps) {
  return questions.map((question) => (
    <fieldset key={question.question} className="question">
      <legend>{question.question}</legend>
      <div className="question-options">
        {question.options.map((option) => (
          <button
            key={option.label}
            type="button"
            className="button option"
            title={option.description}
            aria-pressed={chosenOf(answers, question).includes(option.label)}
            onClick={() => onAnswer(question.question, toggled(answers, question, option.label))}
          >
            {option.label}
          </button>
        ))}
      </div>
      <input
        className="other-answer"
        aria-label={`Another answer to: ${question.question}`}
        placeholder="Another answer…"
        value={question.options.some((option) => chosenOf(answers, question).includes(option.label)) ? '' : (answers[question.question] ?? '')}
        onChange={(event) => onAnswer(question.question, event.target.value)}
      />
    </fieldset>
  ));
}

const chosenOf = (answers: Readonly<Record<string, string>>, question: Question): readonly string[] => (answers[question.question] ?? '').split(', ');

function toggled(answers: Readonly<Record<string, string>>, question: Question, label: string): string {
  if (question.multiSelect !== true) return label;
  const labels = question.options.map((option) => option.label);
  const chosen = chosenOf(answers, question).filter((answer) => labels.includes(answer));
  const next = chosen.includes(label) ? chosen.filter((answer) => answer !== label) : [...chosen, label];
  return next.join(', ');
}

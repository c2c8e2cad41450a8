import { useState } from 'react';
import { type Answer, givenAnswer } from '../../../store/approvals/answers.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import type { GivenAnswer } from '../../../store/state/app-state.ts';
import { useKept } from '../../common/use-kept.ts';
import type { Request } from '../request/request.ts';
import { AnswerDraft, type Face, NO_ANSWER } from './answer-draft.ts';
import { DenyForm } from './deny-form.tsx';
import { EditForm } from './edit-form.tsx';
import { PlanChoice } from './plan-choice.tsx';
import { QuestionForm } from './question-form.tsx';
import { RememberForm } from './remember-form.tsx';
import { ToolChoice } from './tool-choice.tsx';

/** What a person decided, whatever the request was. */
export type Verdict = Omit<Answer, 'requestId' | 'sessionId'>;

export interface FaceProps {
  readonly request: Request;
  /** Whether single keys mean this card now. */
  readonly hasKeys: boolean;
  readonly onVerdict: (verdict: Verdict) => void;
  readonly onFace: (face: Face) => void;
  /** What was typed and chosen so far; it survives a reload, and a look at another face. */
  readonly draft: AnswerDraft;
  readonly onDraft: (part: Partial<AnswerDraft>) => void;
  /** The person has just turned to this face here: what is only shown again must not take the keys. */
  readonly isTurned: boolean;
}

interface AnswerFormProps {
  readonly request: Request;
  readonly hasKeys: boolean;
}

/** The answers to a request; says plainly while one is on its way, and what the server said to it. */
export function AnswerForm({ request, hasKeys }: AnswerFormProps) {
  const cockpit = useCockpit();
  const { requestId, sessionId } = request;
  const given = useApp((state) => givenAnswer(state, requestId));
  const isOpen = useApp((state) => state.phase.name === 'open');
  const [draft, setDraft] = useKept(`answer:${requestId}`, AnswerDraft, NO_ANSWER);
  const [turned, turn] = useState<Face>();
  const face = turned ?? draft.face;
  if (given !== undefined && given.phase !== 'refused') {
    return (
      <p className="answer-sent" role="status">
        {sentText(given, isOpen)}
      </p>
    );
  }
  const onVerdict = (verdict: Verdict) => {
    void cockpit.answer({ requestId, sessionId, ...verdict });
    setDraft(NO_ANSWER);
    turn('choice');
  };
  const onDraft = (part: Partial<AnswerDraft>) => setDraft({ ...draft, face, ...part });
  // A form into which nothing was put is nothing to keep.
  const onFace = (next: Face) => {
    turn(next);
    if (draft !== NO_ANSWER) setDraft({ ...draft, face: next });
  };
  return (
    <div className="answer-bar">
      {given !== undefined && (
        <p className="form-problem" role="alert">
          {`Not done: ${given.message}`}
        </p>
      )}
      <FaceView
        face={face}
        request={request}
        hasKeys={hasKeys}
        onVerdict={onVerdict}
        onFace={onFace}
        draft={draft}
        onDraft={onDraft}
        isTurned={turned !== undefined}
      />
    </div>
  );
}

function FaceView({ face, ...props }: FaceProps & { readonly face: Face }) {
  switch (face) {
    case 'deny':
      return <DenyForm {...props} />;
    case 'edit':
      return <EditForm {...props} />;
    case 'remember':
      return <RememberForm {...props} />;
    case 'choice':
      return <Choice {...props} />;
  }
}

function Choice(props: FaceProps) {
  switch (props.request.kind) {
    case 'question':
      return <QuestionForm {...props} />;
    case 'plan':
      return <PlanChoice {...props} />;
    case 'tool':
      return <ToolChoice {...props} />;
  }
}

function sentText({ phase, behavior }: GivenAnswer, isOpen: boolean): string {
  const word = behavior === 'allow' ? 'Allowed' : 'Denied';
  if (phase === 'durable') return `${word}: the server has it.`;
  return isOpen ? `${word}; telling the server…` : `${word}, but not yet sent: there is no connection. It is kept here and sent when it is back.`;
}

import { useState } from 'react';
import { isTrustRequest } from '../../../../src/domain/worktree/trust-request.ts';
import { type Answer, givenAnswer } from '../../../store/approvals/answers.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import type { GivenAnswer } from '../../../store/state/app-state.ts';
import { useFormDraft } from '../../common/use-form-draft.ts';
import type { Request } from '../request/request.ts';
import { AnswerDraft, type AnswerView, NO_ANSWER } from './answer-draft.ts';
import { DenyForm } from './deny-form.tsx';
import { EditForm } from './edit-form.tsx';
import { PlanChoice } from './plan-choice.tsx';
import { QuestionForm } from './question-form.tsx';
import { RememberForm } from './remember-form.tsx';
import { ScriptChoice } from './script-choice.tsx';
import { ToolChoice } from './tool-choice.tsx';

/** A person's decision on any kind of request. */
export type Verdict = Omit<Answer, 'requestId' | 'sessionId'>;

export interface AnswerViewProps {
  readonly request: Request;
  /** Whether single keys act on this card now. */
  readonly hasKeys: boolean;
  readonly onVerdict: (verdict: Verdict) => void;
  readonly onView: (view: AnswerView) => void;
  /** What was typed and chosen so far; it survives a reload and a switch to another view. */
  readonly draft: AnswerDraft;
  readonly onDraft: (part: Partial<AnswerDraft>) => void;
  /** The person has just opened this view. A view that is only shown again must not take the focus. */
  readonly isJustOpened: boolean;
}

interface AnswerFormProps {
  readonly request: Request;
  readonly hasKeys: boolean;
}

/** The answers to a request, the state of one that is being sent, and the server's refusal if there is one. */
export function AnswerForm({ request, hasKeys }: AnswerFormProps) {
  const cockpit = useCockpit();
  const { requestId, sessionId } = request;
  const given = useApp((state) => givenAnswer(state, requestId));
  const isOpen = useApp((state) => state.phase.name === 'open');
  const [draft, setDraft] = useFormDraft(`answer:${requestId}`, AnswerDraft, NO_ANSWER);
  const [opened, setOpened] = useState<AnswerView>();
  const view = opened ?? draft.face;
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
    setOpened('choice');
  };
  const onDraft = (part: Partial<AnswerDraft>) => setDraft({ ...draft, face: view, ...part });
  // An untouched form is not worth saving.
  const onView = (next: AnswerView) => {
    setOpened(next);
    if (draft !== NO_ANSWER) setDraft({ ...draft, face: next });
  };
  return (
    <div className="answer-bar">
      {given !== undefined && (
        <p className="form-problem" role="alert">
          {`Not accepted: ${given.message}`}
        </p>
      )}
      <ShownView
        view={view}
        request={request}
        hasKeys={hasKeys}
        onVerdict={onVerdict}
        onView={onView}
        draft={draft}
        onDraft={onDraft}
        isJustOpened={opened !== undefined}
      />
    </div>
  );
}

function ShownView({ view, ...props }: AnswerViewProps & { readonly view: AnswerView }) {
  switch (view) {
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

function Choice(props: AnswerViewProps) {
  switch (props.request.kind) {
    case 'question':
      return <QuestionForm {...props} />;
    case 'plan':
      return <PlanChoice {...props} />;
    case 'tool':
      return isTrustRequest(props.request.requestId) ? <ScriptChoice {...props} /> : <ToolChoice {...props} />;
  }
}

function sentText({ phase, behavior }: GivenAnswer, isOpen: boolean): string {
  const word = behavior === 'allow' ? 'Allowed' : 'Denied';
  if (phase === 'durable') return `${word}. Saved on the server.`;
  return isOpen ? `${word}. Sending…` : `${word}, but not sent yet: you are offline. It will be sent when the connection is back.`;
}

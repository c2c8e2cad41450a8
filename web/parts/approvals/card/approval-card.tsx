import { type ReactNode, useEffect, useRef } from 'react';
import { requestSummary, wantsText } from '../../../../src/domain/permission/request-text.ts';
import { LampIcon } from '../../../base/ui/lamp-icon.tsx';
import { TextBoundary } from '../../../base/ui/plain-text.tsx';
import { VisibleLine, VisibleText } from '../../../base/ui/visible-text.tsx';
import { useApp } from '../../../store/cockpit-context.ts';
import type { LingeringRequest } from '../../../store/state/app-state.ts';
import { useComment } from '../../annotations/comment-context.ts';
import { Commenting } from '../../annotations/commenting.tsx';
import { Ago } from '../../common/ago.tsx';
import { AnswerForm } from '../answer/answer-form.tsx';
import { CardContext } from '../answer/card-keys.ts';
import { PlanBody } from '../request/plan-body.tsx';
import type { Request } from '../request/request.ts';
import { RequestBody } from '../request/request-body.tsx';
import type { SelectedBy } from '../selection/selection.ts';
import { useLiveKeys } from '../selection/use-live-keys.ts';
import { outcomeText } from './outcome.ts';
import { RequestFacts } from './request-facts.tsx';

/** What a card does when it is selected: it takes the focus, or it only comes into view. */
export type WhenSelected = 'with-focus' | 'into-view';

/** How a request ended, once that is known. */
type Ended = Pick<LingeringRequest, 'resolved'>;

interface ApprovalCardProps {
  readonly request: Request;
  /** Unset when the card is not selected. */
  readonly chosen?: SelectedBy | undefined;
  readonly whenSelected?: WhenSelected;
  /** Who asks; unset inside a session, where it is obvious. */
  readonly who?: ReactNode;
  /** Set when the request is no longer pending and its card stays a moment longer. */
  readonly left?: Ended | undefined;
}

/** A pending request: what exactly, where, since when, and the possible answers. */
export function ApprovalCard(props: ApprovalCardProps) {
  const canComment = useComment() !== undefined;
  const part = useRef<HTMLDivElement>(null);
  // Outside its session's page, a plan brings its own form for comments.
  if (props.request.kind !== 'plan' || canComment) return <Card {...props} />;
  return (
    <div ref={part}>
      <Commenting sessionId={props.request.sessionId} within={part}>
        <Card {...props} />
      </Commenting>
    </div>
  );
}

function Card({ request, chosen, whenSelected, who, left }: ApprovalCardProps) {
  const card = useRef<HTMLElement>(null);
  const hasKeys = useLiveKeys(left === undefined ? chosen : undefined, request.at);
  useEffect(() => {
    const isMoved = chosen === 'by-user' || chosen === 'after-answer';
    if (!isMoved || whenSelected === undefined || card.current?.contains(document.activeElement) === true) return;
    if (whenSelected === 'with-focus') card.current?.focus();
    card.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen, whenSelected]);
  const wants = wantsText(request);
  const title = useApp((state) => state.sessions.get(request.sessionId)?.title ?? '');
  return (
    <section
      ref={card}
      tabIndex={-1}
      className={left === undefined ? 'approval' : 'approval left'}
      aria-label={`${title} ${wants} ${requestSummary(request)}`}
      aria-current={chosen === undefined ? undefined : 'true'}
      data-request={request.requestId}
    >
      <header className="approval-head">
        <LampIcon shape={left === undefined ? 'diamond' : 'ring'} />
        <span className="approval-wants">
          {who} <VisibleLine text={wants} />
        </span>
        <Ago at={request.at} />
      </header>
      <div className="request-body">
        {request.kind !== 'question' && (
          <TextBoundary of={request.requestId} text={() => JSON.stringify(request.input, null, 2)}>
            <CardBody request={request} />
          </TextBoundary>
        )}
        <TextBoundary of={request.requestId} text={() => request.tool}>
          <RequestFacts request={request} />
        </TextBoundary>
      </div>
      <CardContext value={card}>
        {left === undefined ? <AnswerForm request={request} hasKeys={hasKeys} /> : <LeftLine request={request} left={left} />}
      </CardContext>
    </section>
  );
}

function CardBody({ request }: { readonly request: Request }) {
  const cwd = useApp((state) => state.sessions.get(request.sessionId)?.cwd);
  return request.kind === 'tool' ? <RequestBody request={request} cwd={cwd} /> : <PlanBody request={request} />;
}

/** How the request ended. Someone who answered too late learns that their answer had no effect. */
function LeftLine({ request, left }: { readonly request: Request; readonly left: Ended }) {
  const isLate = useApp((state) => state.answers.get(request.requestId)?.phase === 'refused');
  const you = useApp((state) => state.you?.id);
  const words = left.resolved === undefined ? 'No longer waiting.' : outcomeText(request.kind, left.resolved, you);
  return (
    <p className="answer-sent" role="status">
      <VisibleText text={isLate ? `${words}. Your answer came too late and had no effect.` : words} />
    </p>
  );
}

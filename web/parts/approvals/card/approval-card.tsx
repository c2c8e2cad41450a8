import { type ReactNode, useEffect, useRef } from 'react';
import { requestGist, wantsText } from '../../../../src/domain/permission/wants.ts';
import { LampIcon } from '../../../base/ui/lamp-icon.tsx';
import { TextBoundary } from '../../../base/ui/plain-text.tsx';
import { VisibleLine, VisibleText } from '../../../base/ui/visible-text.tsx';
import { useApp } from '../../../store/cockpit-context.ts';
import type { LeftRequest } from '../../../store/state/app-state.ts';
import { Ago } from '../../common/ago.tsx';
import { Markdown } from '../../markdown/markdown.tsx';
import { AnswerForm } from '../answer/answer-form.tsx';
import { CardContext } from '../answer/card-keys.ts';
import { AlsoList } from '../request/also-list.tsx';
import type { Request } from '../request/request.ts';
import { RequestBody } from '../request/request-body.tsx';
import { usePlan } from '../request/use-plan.ts';
import type { Chosen } from '../selection/selection.ts';
import { useLiveKeys } from '../selection/use-live-keys.ts';
import { outcomeText } from './outcome.ts';
import { RequestFacts } from './request-facts.tsx';

/** What a card does when it is selected: it takes the focus, or it only comes into view. */
export type Comes = 'with-focus' | 'into-view';

/** How a request that no longer waits ended, as soon as that is known. */
type Ended = Pick<LeftRequest, 'resolved'>;

interface ApprovalCardProps {
  readonly request: Request;
  /** Unset: it is not the selected one. */
  readonly chosen?: Chosen | undefined;
  readonly comes?: Comes;
  /** Who asks; inside a session that is plain. */
  readonly who?: ReactNode;
  /** It no longer waits, and is shown for a moment more. */
  readonly left?: Ended | undefined;
}

/** A request that waits: what exactly, where, since when, and the answers. */
export function ApprovalCard({ request, chosen, comes, who, left }: ApprovalCardProps) {
  const card = useRef<HTMLElement>(null);
  const hasKeys = useLiveKeys(left === undefined ? chosen : undefined, request.at);
  useEffect(() => {
    const isMoved = chosen === 'by-hand' || chosen === 'after-answer';
    if (!isMoved || comes === undefined || card.current?.contains(document.activeElement) === true) return;
    if (comes === 'with-focus') card.current?.focus();
    card.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen, comes]);
  const wants = wantsText(request);
  const title = useApp((state) => state.sessions.get(request.sessionId)?.title ?? '');
  return (
    <section
      ref={card}
      tabIndex={-1}
      className={left === undefined ? 'approval' : 'approval left'}
      aria-label={`${title} ${wants} ${requestGist(request)}`}
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
      <TextBoundary of={request.requestId} text={() => request.tool}>
        <RequestFacts request={request} />
      </TextBoundary>
      {request.kind !== 'question' && (
        <div className="request-body">
          <TextBoundary of={request.requestId} text={() => JSON.stringify(request.input, null, 2)}>
            <CardBody request={request} />
          </TextBoundary>
        </div>
      )}
      <CardContext value={card}>
        {left === undefined ? <AnswerForm request={request} hasKeys={hasKeys} /> : <LeftLine request={request} left={left} />}
      </CardContext>
    </section>
  );
}

function CardBody({ request }: { readonly request: Request }) {
  const cwd = useApp((state) => state.sessions.get(request.sessionId)?.cwd);
  const plan = usePlan(request);
  if (request.kind === 'tool') return <RequestBody request={request} cwd={cwd} />;
  const { plan: _shown, ...rest } = request.input;
  return (
    <>
      {plan === undefined ? <p className="quiet">The plan stands above, in what the agent wrote last.</p> : <Markdown text={plan} />}
      <AlsoList rest={typeof request.input.plan === 'string' ? rest : request.input} />
    </>
  );
}

/** How it ended. An answer that came too late is told that it changed nothing. */
function LeftLine({ request, left }: { readonly request: Request; readonly left: Ended }) {
  const isLate = useApp((state) => state.answers.get(request.requestId)?.phase === 'refused');
  const words = left.resolved === undefined ? 'It no longer waits.' : outcomeText(request.kind, left.resolved);
  return (
    <p className="answer-sent" role="status">
      <VisibleText text={isLate ? `${words}. Your answer came after that and changed nothing.` : words} />
    </p>
  );
}

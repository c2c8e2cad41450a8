import type { ReactNode } from 'react';
import { Ago } from '../ui/ago.tsx';
import { LampIcon } from '../ui/lamp-icon.tsx';
import { AnswerForm } from './answer-form.tsx';
import { type Request, wantsText } from './request.ts';
import { RequestBody } from './request-body.tsx';

interface ApprovalCardProps {
  readonly request: Request;
  readonly hasKeys: boolean;
  /** Who asks; inside a session that is plain. */
  readonly who?: ReactNode;
}

/** A request that waits: what exactly, since when, and the two answers. */
export function ApprovalCard({ request, hasKeys, who }: ApprovalCardProps) {
  const isQuestion = request.kind === 'question';
  return (
    <section className="approval" aria-label={`${wantsText(request)}: waits for you`}>
      <header className="approval-head">
        <LampIcon shape="diamond" />
        <span className="approval-wants">
          {who} {request.subagent === undefined ? '' : `${request.subagent} `}
          {wantsText(request)}
        </span>
        <Ago at={request.at} />
      </header>
      {!isQuestion && <RequestBody request={request} />}
      <AnswerForm request={request} hasKeys={hasKeys} />
    </section>
  );
}

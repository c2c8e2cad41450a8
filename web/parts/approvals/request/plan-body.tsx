import { useRef } from 'react';
import type { SessionId } from '../../../../src/protocol/ids.ts';
import { useComment, useCommentSource } from '../../annotations/comment-context.ts';
import { type Commentable, textPlace } from '../../annotations/message-place.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { OtherArguments } from './other-arguments.tsx';
import type { Request } from './request.ts';
import { usePlan } from './use-plan.ts';

/** The plan, all of it or selected words of which can be commented on. */
export function PlanBody({ request }: { readonly request: Request }) {
  const part = useRef<HTMLDivElement>(null);
  const comment = useComment();
  const plan = usePlan(request);
  const commentable = plan === undefined ? undefined : commentableOf(request, plan);
  useCommentSource(part, (selection) => commentable && textPlace(commentable, part.current, selection));
  const { plan: _shown, ...rest } = request.input;
  if (plan === undefined) {
    return (
      <>
        <p className="quiet">The plan is in the agent’s last message above.</p>
        <OtherArguments rest={request.input} />
      </>
    );
  }
  return (
    <>
      <div ref={part}>
        <Markdown text={plan} />
      </div>
      {comment !== undefined && commentable !== undefined && (
        <button type="button" className="text-button plan-comment" onClick={() => comment(textPlace(commentable, part.current))}>
          Comment on the plan
        </button>
      )}
      <OtherArguments rest={typeof request.input.plan === 'string' ? rest : request.input} />
    </>
  );
}

function commentableOf({ sessionId, toolUseId, input, seq }: Request, plan: string): Commentable | undefined {
  if (toolUseId === undefined) return undefined;
  const target = { type: 'tool-call', sessionId: sessionId as SessionId, toolUseId, field: 'plan' } as const;
  // Without its own text, the request's plan is that of the call.
  return { target, text: plan, title: 'this plan', ...(typeof input.plan === 'string' && { seq }) };
}

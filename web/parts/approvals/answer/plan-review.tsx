import type { PermissionMode } from '../../../../src/protocol/session.ts';
import { VisibleText } from '../../../base/ui/visible-text.tsx';
import '../../annotations/annotations.css';
import type { Comment } from '../../annotations/groups.ts';
import { ReviewPreview } from '../../annotations/review-preview.tsx';
import type { Act } from '../../annotations/use-comments.ts';
import { useSendReview } from '../../annotations/use-send-review.ts';
import type { Request } from '../request/request.ts';
import { useCardKeys } from './card-keys.ts';
import { KeyButton } from './key-button.tsx';

interface PlanReviewProps {
  readonly request: Request;
  readonly hasKeys: boolean;
  readonly comments: readonly Comment[];
  readonly mode: PermissionMode | undefined;
  readonly act: Act;
}

/** The comments on a plan, which are sent with its answer: as the denial's message, or after its approval. */
export function PlanReview({ request, hasKeys, comments, mode, act }: PlanReviewProps) {
  const { requestId, sessionId } = request;
  const { send, isSending } = useSendReview(sessionId, comments, act);
  const approve = () => void send({ requestId, behavior: 'allow', ...(mode !== undefined && { mode }) });
  const change = () => void send({ requestId, behavior: 'deny' });
  useCardKeys(hasKeys && !isSending, { 'request.allow': approve, 'request.deny': change });
  return (
    <>
      <ul className="plan-comments" aria-label="Comments on this plan">
        {comments.map((comment) => (
          <li key={comment.annotationId}>
            {comment.anchor?.quote !== undefined && <q className="quiet">{shortened(comment.anchor.quote)}</q>} <VisibleText text={comment.text} />{' '}
            <button type="button" className="text-button" onClick={() => void act((api) => api.withdraw(comment.annotationId))}>
              Withdraw
            </button>
          </li>
        ))}
      </ul>
      <div className="answer-buttons">
        <KeyButton label="Request changes" keyName="n" hasKey={hasKeys} look="primary" isOff={isSending} onPress={change} />
        <KeyButton label="Approve with comments" keyName="y" hasKey={hasKeys} isOff={isSending} onPress={approve} />
      </div>
      <ReviewPreview sessionId={sessionId} comments={comments} act={act} />
    </>
  );
}

const SHOWN_CHARS = 80;

const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS - 1)}…` : line;
};

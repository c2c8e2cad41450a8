import { useApp } from '../../store/cockpit-context.ts';
import type { Comment } from './groups.ts';
import { ReviewPreview } from './review-preview.tsx';
import type { Act } from './use-comments.ts';
import { useSendReview } from './use-send-review.ts';

interface SendReviewProps {
  readonly sessionId: string;
  readonly comments: readonly Comment[];
  readonly act: Act;
  readonly label: string;
}

/** Shows the exact message, and sends it once. While a plan waits for an answer, the review can be that answer. */
export function SendReview({ sessionId, comments, act, label }: SendReviewProps) {
  const { send, isSending } = useSendReview(sessionId, comments, act);
  const plan = useApp((state) => state.permissions.find((request) => request.sessionId === sessionId && request.kind === 'plan')?.requestId);
  const isOff = comments.length === 0 || isSending;
  return (
    <div className="review-send">
      <p className="review-send-buttons">
        {plan !== undefined && (
          <>
            <button type="button" className="button primary" disabled={isOff} onClick={() => void send({ requestId: plan, behavior: 'deny' })}>
              Request changes to the plan
            </button>
            <button type="button" className="button" disabled={isOff} onClick={() => void send({ requestId: plan, behavior: 'allow' })}>
              Approve with comments
            </button>
          </>
        )}
        <button type="button" className={plan === undefined ? 'button primary' : 'button'} disabled={isOff} onClick={() => void send()}>
          {label}
        </button>
      </p>
      <ReviewPreview sessionId={sessionId} comments={comments} act={act} />
    </div>
  );
}

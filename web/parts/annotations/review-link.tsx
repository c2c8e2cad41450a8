import { Link } from '@tanstack/react-router';
import { useApp } from '../../store/cockpit-context.ts';
import { useComment } from './comment-context.ts';

/** Drafts that wait to be sent, next to the message field. */
export function ReviewLink({ sessionId }: { readonly sessionId: string }) {
  const drafts = useApp((state) => state.sessions.get(sessionId)?.drafts);
  if (useComment() === undefined || drafts === undefined) return null;
  return (
    <Link to="/s/$sessionId/review" params={{ sessionId }} hash className="text-button review-link">
      Review ({drafts})
    </Link>
  );
}

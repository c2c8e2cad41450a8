import { MessageSquarePlus, Star } from 'lucide-react';
import type { Marking } from './marking-context.ts';

export const STAR = 'Star message';
export const UNSTAR = 'Unstar message';

interface MarkButtonsProps {
  readonly marking: Marking;
  readonly comment: (() => void) | undefined;
}

/** For pointers that hover; on touch screens the menu has the same actions. */
export function MarkButtons({ marking, comment }: MarkButtonsProps) {
  const star = marking.isStarred ? UNSTAR : STAR;
  return (
    <>
      <button type="button" className="icon-button star" aria-label={star} title={star} onClick={marking.toggleStar}>
        <Star size={15} aria-hidden="true" {...(marking.isStarred && { fill: 'currentColor' })} />
      </button>
      {comment !== undefined && (
        <button type="button" className="icon-button comment-button" aria-label="Comment on message" title="Comment on message" onClick={comment}>
          <MessageSquarePlus size={15} aria-hidden="true" />
        </button>
      )}
    </>
  );
}

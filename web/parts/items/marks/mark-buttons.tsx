import { PencilLine, Star } from 'lucide-react';
import type { Marking } from './marking-context.ts';

export const STAR = 'Star message';
export const UNSTAR = 'Unstar message';
export const NOTE = 'Add or edit note';

/** For pointers that hover; on touch screens the menu has the same actions. */
export function MarkButtons({ marking }: { readonly marking: Marking }) {
  const star = marking.isStarred ? UNSTAR : STAR;
  return (
    <>
      <button type="button" className="icon-button star" aria-label={star} title={star} onClick={marking.toggleStar}>
        <Star size={15} aria-hidden="true" {...(marking.isStarred && { fill: 'currentColor' })} />
      </button>
      <button type="button" className="icon-button note-button" aria-label={NOTE} title={NOTE} onClick={marking.write}>
        <PencilLine size={15} aria-hidden="true" />
      </button>
    </>
  );
}

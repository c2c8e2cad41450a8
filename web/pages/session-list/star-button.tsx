import { Star } from 'lucide-react';
import type { Session } from '../../../src/protocol/session.ts';
import { useCockpit } from '../../store/cockpit-context.ts';

export function StarButton({ session }: { readonly session: Session }) {
  const cockpit = useCockpit();
  return (
    <button
      type="button"
      className="icon-button star"
      aria-label={session.star ? 'Remove star' : 'Star'}
      aria-pressed={session.star}
      onClick={() => void cockpit.describe(session.id, { star: !session.star })}
    >
      <Star size={15} aria-hidden="true" />
    </button>
  );
}

import { Link } from '@tanstack/react-router';
import { UsersRound } from 'lucide-react';
import { lineSetting, lineText } from '../../../src/domain/queue/line-text.ts';
import { useApp } from '../../store/cockpit-context.ts';

/** The session waits for a slot: its place in line, the limit, and where to change it. */
export default function LineBar({ sessionId }: { readonly sessionId: string }) {
  const place = useApp((state) => state.sessions.get(sessionId)?.placeInLine);
  const limit = useApp((state) => state.sessions.get(sessionId)?.lineLimit);
  if (place === undefined || limit === undefined) return null;
  return (
    <section className="limit-bar" aria-label="Place in line" role="status">
      <UsersRound size={15} aria-hidden="true" />
      <span>{lineText(place, limit)}. Starts by itself; your messages are saved.</span>
      <Link className="text-button" to="/settings/data" title={`Set by ${lineSetting(limit)}`}>
        Change the limit
      </Link>
    </section>
  );
}

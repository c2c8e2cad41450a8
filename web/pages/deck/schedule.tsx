import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Session } from '../../../src/protocol/session.ts';
import { momentText } from '../../base/text/format.ts';
import { useApp, useCockpit } from '../../store/cockpit-context.ts';

/** Sessions that resume automatically, soonest first. */
export default function Schedule() {
  const cockpit = useCockpit();
  const sessions = useApp((state) => state.sessions);
  const scheduled = useMemo(() => [...sessions.values()].filter(isScheduled).sort((a, b) => a.continuesAt.localeCompare(b.continuesAt)), [sessions]);
  if (scheduled.length === 0) return null;
  return (
    <section className="schedule" aria-labelledby="schedule-head">
      <h2 id="schedule-head">Resumes automatically</h2>
      <ul>
        {scheduled.map(({ id, title, continuesAt }) => (
          <li key={id}>
            <time dateTime={continuesAt}>{momentText(continuesAt)}</time>
            <Link to="/s/$sessionId" params={{ sessionId: id }}>
              {title}
            </Link>
            <button
              type="button"
              className="button plain"
              aria-label={`Don’t resume ${title} automatically`}
              onClick={() => void cockpit.cancelAutomaticResume(id)}
            >
              Cancel
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const isScheduled = (session: Session): session is Session & { continuesAt: string } => session.continuesAt !== undefined;

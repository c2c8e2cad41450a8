import { Link } from '@tanstack/react-router';
import { LampIcon } from '../../base/ui/lamp-icon.tsx';
import { countText } from '../../base/words/words.ts';
import { useApp } from '../../store/cockpit-context.ts';

/** Nothing to do here is good news, and says what goes on meanwhile. */
export function InboxEmpty() {
  const running = useApp((state) => [...state.sessions.values()].filter(({ status }) => status === 'busy' || status === 'starting').length);
  return (
    <section className="inbox-empty">
      <LampIcon shape={running > 0 ? 'disc' : 'ring'} />
      <h2>Nothing waits for you</h2>
      <p>{running > 0 ? `${countText(running, 'session runs', 'sessions run')} without needing you.` : 'No agent is at work.'}</p>
      <p className="quiet">
        When an agent wants to run a command, change a file or ask something, it appears here, on every device. The tab’s title and icon count it.
      </p>
      <Link to="/" className="button">
        All sessions
      </Link>
    </section>
  );
}

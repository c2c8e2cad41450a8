import { Link } from '@tanstack/react-router';
import { countText } from '../../base/text/format.ts';
import { LampIcon } from '../../base/ui/lamp-icon.tsx';
import { useApp } from '../../store/cockpit-context.ts';

/** Shown when no request is pending. Says how many agents are running. */
export function InboxEmpty() {
  const running = useApp((state) => [...state.sessions.values()].filter(({ status }) => status === 'busy' || status === 'starting').length);
  return (
    <section className="inbox-empty">
      <LampIcon shape={running > 0 ? 'disc' : 'ring'} />
      <h2>Nothing needs you</h2>
      <p>{running > 0 ? `${countText(running, 'session')} running.` : 'No agents are running.'}</p>
      <p className="quiet">
        When an agent wants to run a command, change a file or ask a question, it appears here on all your devices. The tab’s title and icon show the count.
      </p>
      <Link to="/" className="button">
        Go to the deck
      </Link>
    </section>
  );
}

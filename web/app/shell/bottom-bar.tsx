import { Link } from '@tanstack/react-router';
import { Inbox, Library, Menu, Plus, Search, TextAlignStart } from 'lucide-react';
import { useShell } from '../../base/actions/shell-context.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { unreadCount } from '../../store/sessions/unread.ts';
import { waitingCount } from './waiting-count.ts';

/** The phone's navigation, in reach of a thumb. Inside a session the composer takes its place. */
export function BottomBar() {
  const waiting = useApp(waitingCount);
  const unread = useApp(unreadCount);
  const { openNewSession, openPalette } = useShell();
  return (
    <nav className="bottom-bar" aria-label="Main">
      <Link to="/" activeOptions={{ exact: true }}>
        <span className="bar-icon">
          <TextAlignStart size={20} aria-hidden="true" />
          {unread > 0 && <span className="badge badge-unread" aria-hidden="true" />}
        </span>
        {unread > 0 ? `Deck ${unread}` : 'Deck'}
        {unread > 0 && <span className="unseen"> unread</span>}
      </Link>
      <Link to="/inbox">
        <span className="bar-icon">
          <Inbox size={20} aria-hidden="true" />
          {waiting > 0 && <span className="badge" aria-hidden="true" />}
        </span>
        {waiting > 0 ? `Inbox ${waiting}` : 'Inbox'}
      </Link>
      <button type="button" onClick={openNewSession}>
        <Plus size={20} aria-hidden="true" />
        New
      </button>
      <Link to="/sessions" activeOptions={{ exact: false, includeSearch: false }}>
        <Library size={20} aria-hidden="true" />
        Sessions
      </Link>
      <Link to="/search" activeOptions={{ exact: false, includeSearch: false }}>
        <Search size={20} aria-hidden="true" />
        Search
      </Link>
      <button type="button" onClick={openPalette}>
        <Menu size={20} aria-hidden="true" />
        More
      </button>
    </nav>
  );
}

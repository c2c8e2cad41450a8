import { Link } from '@tanstack/react-router';
import { Inbox, Library, Plus, Search, SlidersHorizontal, TextAlignStart } from 'lucide-react';
import { useApp } from '../app/cockpit-context.ts';
import { useShell } from './shell-context.ts';
import { ThemeSwitch } from './theme-switch.tsx';
import { waitingCount } from './waiting-count.ts';

/** The rail of a phone. Inside a session the composer has its place. */
export function BottomBar() {
  const waiting = useApp(waitingCount);
  const { openNewSession } = useShell();
  return (
    <nav className="bottom-bar" aria-label="Main">
      <Link to="/" activeOptions={{ exact: true }}>
        <TextAlignStart size={18} aria-hidden="true" />
        Deck
      </Link>
      <Link to="/inbox">
        <span className="bar-icon">
          <Inbox size={18} aria-hidden="true" />
          {waiting > 0 && <span className="badge" aria-hidden="true" />}
        </span>
        {waiting > 0 ? `Inbox ${waiting}` : 'Inbox'}
      </Link>
      <Link to="/sessions" activeOptions={{ exact: false, includeSearch: false }}>
        <Library size={18} aria-hidden="true" />
        All
      </Link>
      <button type="button" onClick={openNewSession}>
        <Plus size={18} aria-hidden="true" />
        New
      </button>
      <Link to="/search" activeOptions={{ exact: false, includeSearch: false }}>
        <Search size={18} aria-hidden="true" />
        Search
      </Link>
      <Link to="/settings/rules">
        <SlidersHorizontal size={18} aria-hidden="true" />
        Settings
      </Link>
      <ThemeSwitch />
    </nav>
  );
}

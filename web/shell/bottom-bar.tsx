import { Link } from '@tanstack/react-router';
import { Inbox, Plus, SlidersHorizontal, TextAlignStart } from 'lucide-react';
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
        Sessions
      </Link>
      <Link to="/inbox">
        <span className="bar-icon">
          <Inbox size={18} aria-hidden="true" />
          {waiting > 0 && <span className="badge" aria-hidden="true" />}
        </span>
        {waiting > 0 ? `Inbox ${waiting}` : 'Inbox'}
      </Link>
      <button type="button" onClick={openNewSession}>
        <Plus size={18} aria-hidden="true" />
        New
      </button>
      <Link to="/settings/rules">
        <SlidersHorizontal size={18} aria-hidden="true" />
        Settings
      </Link>
      <ThemeSwitch />
    </nav>
  );
}

import { Link } from '@tanstack/react-router';
import { ChartColumn, Inbox, Keyboard, Library, Search, SlidersHorizontal, TextAlignStart } from 'lucide-react';
import { useApp } from '../app/cockpit-context.ts';
import { ConnectionSign } from './connection-sign.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { waitingCount } from './waiting-count.ts';

export function Rail({ onKeys }: { readonly onKeys: () => void }) {
  const waiting = useApp(waitingCount);
  return (
    <nav className="rail" aria-label="Main">
      <Link to="/" className="rail-link" activeOptions={{ exact: true }} title="Deck (d)" aria-label="Deck">
        <TextAlignStart size={19} aria-hidden="true" />
      </Link>
      <Link to="/inbox" className="rail-link" title="Inbox (i)" aria-label={`Inbox, ${waiting} waiting`}>
        <Inbox size={19} aria-hidden="true" />
        {waiting > 0 && <span className="badge">{waiting}</span>}
      </Link>
      <Link to="/sessions" className="rail-link" activeOptions={{ exact: false, includeSearch: false }} title="All sessions (a)" aria-label="All sessions">
        <Library size={18} aria-hidden="true" />
      </Link>
      <Link to="/search" className="rail-link" activeOptions={{ exact: false, includeSearch: false }} title="Search (/)" aria-label="Search">
        <Search size={18} aria-hidden="true" />
      </Link>
      <Link to="/usage" className="rail-link" title="Usage (u)" aria-label="Usage">
        <ChartColumn size={18} aria-hidden="true" />
      </Link>
      <Link to="/settings/rules" className="rail-link" activeOptions={{ exact: false }} title="Rules, audit, people and data" aria-label="Settings">
        <SlidersHorizontal size={18} aria-hidden="true" />
      </Link>
      <span className="rail-space" />
      <ConnectionSign />
      <button type="button" className="rail-link" aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)" onClick={onKeys}>
        <Keyboard size={18} aria-hidden="true" />
      </button>
      <ThemeSwitch />
    </nav>
  );
}

import { Link } from '@tanstack/react-router';
import { Command, Keyboard } from 'lucide-react';
import { useShell } from '../../base/actions/shell-context.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { ConnectionSign } from './connection-sign.tsx';
import { keyTitle } from './key-title.ts';
import { PLACES, type Place } from './places.ts';
import { waitingCount } from './waiting-count.ts';

export function Rail() {
  const { openKeys, openPalette } = useShell();
  return (
    <nav className="rail" aria-label="Main">
      {PLACES.map((place) => (
        <RailLink key={place.to} place={place} />
      ))}
      <span className="rail-space" />
      <ConnectionSign />
      <button
        type="button"
        className="rail-link"
        aria-label="Find an action or a session"
        title={keyTitle('Find an action or a session', 'palette.open')}
        onClick={openPalette}
      >
        <Command size={18} aria-hidden="true" />
      </button>
      <button type="button" className="rail-link" aria-label="Keyboard shortcuts" title={keyTitle('Keyboard shortcuts', 'keys.show')} onClick={openKeys}>
        <Keyboard size={18} aria-hidden="true" />
      </button>
    </nav>
  );
}

function RailLink({ place: { to, name, action, Icon } }: { readonly place: Place }) {
  const waiting = useApp((state) => (action === 'go.inbox' ? waitingCount(state) : 0));
  return (
    <Link
      to={to}
      className="rail-link"
      activeOptions={{ exact: to === '/', includeSearch: false }}
      title={keyTitle(name, action)}
      aria-label={action === 'go.inbox' ? `Inbox, ${waiting} waiting` : name}
    >
      <Icon size={18} aria-hidden="true" />
      {waiting > 0 && <span className="badge">{waiting}</span>}
    </Link>
  );
}

import { Link } from '@tanstack/react-router';
import { Command, Keyboard } from 'lucide-react';
import { type ActionId, factsOf } from '../../base/actions/action-list.ts';
import { isMac } from '../../base/actions/is-mac.ts';
import { keyText } from '../../base/actions/key-names.ts';
import { useShell } from '../../base/actions/shell-context.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { unreadCount } from '../../store/sessions/unread.ts';
import { ConnectionStatus } from './connection-status.tsx';
import { NAV_ITEMS, type NavItem } from './nav-items.ts';
import { waitingCount } from './waiting-count.ts';

export function Rail() {
  const { openKeys, openPalette } = useShell();
  return (
    <nav className="rail" aria-label="Main">
      {NAV_ITEMS.map((item) => (
        <RailLink key={item.to} item={item} />
      ))}
      <span className="rail-space" />
      <ConnectionStatus />
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

function RailLink({ item: { to, name, action, Icon } }: { readonly item: NavItem }) {
  const waiting = useApp((state) => (action === 'go.inbox' ? waitingCount(state) : 0));
  const unread = useApp((state) => (action === 'go.deck' ? unreadCount(state) : 0));
  return (
    <Link
      to={to}
      className="rail-link"
      activeOptions={{ exact: to === '/', includeSearch: false }}
      title={keyTitle(name, action)}
      aria-label={action === 'go.inbox' ? `Inbox, ${waiting} waiting` : unread > 0 ? `${name}, ${unread} unread` : name}
    >
      <Icon size={18} aria-hidden="true" />
      {waiting > 0 && <span className="badge">{waiting}</span>}
      {unread > 0 && <span className="badge badge-unread">{unread}</span>}
    </Link>
  );
}

/** A tooltip: the name, and the key that does the same. */
function keyTitle(name: string, action: ActionId): string {
  const key = factsOf(action).keys?.[0];
  return key === undefined ? name : `${name} (${keyText(key, isMac())})`;
}

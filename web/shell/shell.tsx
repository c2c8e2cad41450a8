import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useApp } from '../app/cockpit-context.ts';
import { lazily } from '../ui/lazily.ts';
import { useShortcuts } from '../ui/use-shortcuts.ts';
import { BottomBar } from './bottom-bar.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { Notices } from './notices.tsx';
import { PageIcon } from './page-icon.tsx';
import { PageTitle } from './page-title.tsx';
import { Rail } from './rail.tsx';
import { ShellContext } from './shell-context.ts';
import { SignInHelp } from './sign-in-help.tsx';

const NewSessionDialog = lazily(async () => ({ default: (await import('../deck/new-session-dialog.tsx')).NewSessionDialog }));
const ShortcutsDialog = lazily(async () => ({ default: (await import('./shortcuts-dialog.tsx')).ShortcutsDialog }));

/** The frame around every page: rail or bottom bar, connection, notices, dialogs. */
export function Shell() {
  const [dialog, setDialog] = useState<'none' | 'new' | 'keys'>('none');
  const navigate = useNavigate();
  const stopped = useApp((state) => (state.phase.name === 'stopped' ? state.phase.why : undefined));
  const inSession = useLocation({ select: (location) => location.pathname.startsWith('/s/') });
  useShortcuts({
    c: (event) => {
      event.preventDefault();
      setDialog('new');
    },
    '?': () => setDialog('keys'),
    d: () => void navigate({ to: '/' }),
    i: () => void navigate({ to: '/inbox' }),
    u: () => void navigate({ to: '/usage' }),
    a: () => void navigate({ to: '/sessions' }),
    '/': (event) => {
      // Inside a session it begins a message, in the list it filters.
      if (inSession || event.defaultPrevented) return;
      event.preventDefault();
      void navigate({ to: '/search' });
    },
  });
  if (stopped === 'unauthorised') return <SignInHelp />;
  return (
    <ShellContext value={{ openNewSession: () => setDialog('new') }}>
      <PageTitle />
      <PageIcon />
      <div className={inSession ? 'shell in-session' : 'shell'}>
        <Rail onKeys={() => setDialog('keys')} />
        <div className="stage">
          <ConnectionBar />
          <Outlet />
        </div>
        <BottomBar />
      </div>
      <Notices />
      <Suspense>
        {dialog === 'new' && <NewSessionDialog onClose={() => setDialog('none')} />}
        {dialog === 'keys' && <ShortcutsDialog onClose={() => setDialog('none')} />}
      </Suspense>
    </ShellContext>
  );
}

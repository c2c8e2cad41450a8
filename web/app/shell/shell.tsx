import { Outlet, useLocation, useParams } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import { type SessionChoice, type ShellActions, ShellContext } from '../../base/actions/shell-context.ts';
import { lazily } from '../../base/browser/lazily.ts';
import { useApp } from '../../store/cockpit-context.ts';
import { BottomBar } from './bottom-bar.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { Notices } from './notices.tsx';
import { PageIcon } from './page-icon.tsx';
import { PageTitle } from './page-title.tsx';
import { PendingKeys } from './pending-keys.tsx';
import { ProblemBar } from './problem-bar.tsx';
import { Rail } from './rail.tsx';
import { RedirectToSignIn, SignedOut } from './sign-in-help.tsx';
import { SkipLinks } from './skip-links.tsx';
import { useShellActions } from './use-shell-actions.ts';

const NewSessionDialog = lazily(async () => ({ default: (await import('../../pages/new-session/new-session-dialog.tsx')).NewSessionDialog }));
const ShortcutsDialog = lazily(() => import('./shortcuts-dialog.tsx'));
const SessionActions = lazily(async () => ({ default: (await import('../../parts/session-actions/session-actions.tsx')).SessionActions }));
const Palette = lazily(() => import('../palette/palette.tsx'));

/** The dialog on top of the page. */
type Layer = { readonly name: 'none' | 'new' | 'keys' | 'palette' } | { readonly name: 'choose'; readonly picker: SessionChoice };

/** The frame around every page: rail or bottom bar, connection, notices, dialogs. */
export function Shell() {
  const [layer, setLayer] = useState<Layer>({ name: 'none' });
  const dialogs = useMemo(() => dialogsOf(setLayer), []);
  const stopped = useApp((state) => (state.phase.name === 'stopped' ? state.phase.why : undefined));
  const wasOpen = useApp((state) => state.wasOpen);
  const inSession = useLocation({ select: (location) => location.pathname.startsWith('/s/') });
  const { sessionId } = useParams({ strict: false });
  useShellActions(dialogs);
  if (stopped === 'unauthorised') return wasOpen ? <SignedOut /> : <RedirectToSignIn />;
  return (
    <ShellContext value={dialogs}>
      <PageTitle />
      <PageIcon />
      <Suspense>{sessionId !== undefined && <SessionActions key={sessionId} sessionId={sessionId} />}</Suspense>
      <SkipLinks inSession={inSession} />
      <div className={inSession ? 'shell in-session' : 'shell'}>
        <Rail />
        <div className="stage">
          <ConnectionBar />
          <ProblemBar />
          <Outlet />
        </div>
        <BottomBar />
      </div>
      <PendingKeys />
      <Notices />
      <Suspense>
        <LayerView layer={layer} onClose={() => setLayer((now) => (now === layer ? { name: 'none' } : now))} />
      </Suspense>
    </ShellContext>
  );
}

const dialogsOf = (open: (layer: Layer) => void): ShellActions => ({
  openNewSession: () => open({ name: 'new' }),
  openPalette: () => open({ name: 'palette' }),
  openKeys: () => open({ name: 'keys' }),
  chooseSession: (picker) => open({ name: 'choose', picker }),
});

function LayerView({ layer, onClose }: { readonly layer: Layer; readonly onClose: () => void }) {
  switch (layer.name) {
    case 'none':
      return null;
    case 'new':
      return <NewSessionDialog onClose={onClose} />;
    case 'keys':
      return <ShortcutsDialog onClose={onClose} />;
    case 'palette':
      return <Palette key="palette" onClose={onClose} />;
    case 'choose':
      return <Palette key="choose" picker={layer.picker} onClose={onClose} />;
  }
}

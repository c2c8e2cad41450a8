import { Outlet, useLocation, useParams } from '@tanstack/react-router';
import { Suspense, useMemo, useState } from 'react';
import { type SessionWish, ShellContext, type ShellDoors } from '../../base/actions/shell-context.ts';
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
import { SignedOut, ToSignIn } from './sign-in-help.tsx';
import { useShellActions } from './use-shell-actions.ts';

const NewSessionDialog = lazily(async () => ({ default: (await import('../../pages/new-session/new-session-dialog.tsx')).NewSessionDialog }));
const ShortcutsDialog = lazily(() => import('./shortcuts-dialog.tsx'));
const SessionActions = lazily(async () => ({ default: (await import('../../parts/session-actions/session-actions.tsx')).SessionActions }));
const Palette = lazily(() => import('../palette/palette.tsx'));

/** What lies on top of the page. */
type Layer = { readonly name: 'none' | 'new' | 'keys' | 'palette' } | { readonly name: 'choose'; readonly wish: SessionWish };

/** The frame around every page: rail or bottom bar, connection, notices, dialogs. */
export function Shell() {
  const [layer, setLayer] = useState<Layer>({ name: 'none' });
  const doors = useMemo(() => doorsOf(setLayer), []);
  const stopped = useApp((state) => (state.phase.name === 'stopped' ? state.phase.why : undefined));
  const wasOpen = useApp((state) => state.wasOpen);
  const inSession = useLocation({ select: (location) => location.pathname.startsWith('/s/') });
  const { sessionId } = useParams({ strict: false });
  useShellActions(doors);
  if (stopped === 'unauthorised') return wasOpen ? <SignedOut /> : <ToSignIn />;
  return (
    <ShellContext value={doors}>
      <PageTitle />
      <PageIcon />
      <Suspense>{sessionId !== undefined && <SessionActions key={sessionId} sessionId={sessionId} />}</Suspense>
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

const doorsOf = (open: (layer: Layer) => void): ShellDoors => ({
  openNewSession: () => open({ name: 'new' }),
  openPalette: () => open({ name: 'palette' }),
  openKeys: () => open({ name: 'keys' }),
  chooseSession: (wish) => open({ name: 'choose', wish }),
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
      return <Palette key="choose" wish={layer.wish} onClose={onClose} />;
  }
}

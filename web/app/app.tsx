import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { openActions } from '../base/actions/actions.ts';
import { ActionsContext } from '../base/actions/actions-context.ts';
import type { AppearanceStore } from '../base/appearance/appearance.ts';
import { AppearanceContext } from '../base/appearance/appearance-context.ts';
import type { Cockpit } from '../store/cockpit.ts';
import { CockpitContext } from '../store/cockpit-context.ts';
import { listenForKeys } from './actions/key-listener.ts';
import type { AppRouter } from './router.tsx';

interface AppProps {
  readonly cockpit: Cockpit;
  readonly appearance: AppearanceStore;
  readonly router: AppRouter;
}

export function App({ cockpit, appearance, router }: AppProps) {
  const [actions] = useState(() => openActions());
  useEffect(() => listenForKeys(actions, document), [actions]);
  return (
    <CockpitContext value={cockpit}>
      <AppearanceContext value={appearance}>
        <ActionsContext value={actions}>
          <RouterProvider router={router} />
        </ActionsContext>
      </AppearanceContext>
    </CockpitContext>
  );
}

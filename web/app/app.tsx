import { RouterProvider } from '@tanstack/react-router';
import type { Cockpit } from '../store/cockpit.ts';
import { CockpitContext } from './cockpit-context.ts';
import type { AppRouter } from './router.tsx';

export function App({ cockpit, router }: { readonly cockpit: Cockpit; readonly router: AppRouter }) {
  return (
    <CockpitContext value={cockpit}>
      <RouterProvider router={router} />
    </CockpitContext>
  );
}

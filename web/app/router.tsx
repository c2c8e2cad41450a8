import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { insist, lazily } from '../base/browser/lazily.ts';
import { NotFound } from '../base/ui/not-found.tsx';
import { SessionPage } from '../pages/session/session-page.tsx';
import { sideSearch } from '../parts/address/inspector-address.ts';
import { addressOf, wantedOf } from '../parts/address/search-address.ts';
import { filterOf, searchOf } from '../store/session-list/filter.ts';
import { Shell } from './shell/shell.tsx';
import { SurfaceError } from './shell/surface-error.tsx';

// Whoever opens a session does not wait for the deck.
const DeckPage = lazily(async () => ({ default: (await import('../pages/deck/deck-page.tsx')).DeckPage }));
const InboxPage = lazily(async () => ({ default: (await import('../pages/inbox/inbox-page.tsx')).InboxPage }));

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const deckRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', component: DeckPage, wrapInSuspense: true });
const inboxRoute = createRoute({ getParentRoute: () => rootRoute, path: '/inbox', component: InboxPage, wrapInSuspense: true });
const sessionRoute = createRoute({ getParentRoute: () => rootRoute, path: '/s/$sessionId', component: SessionRoute });

// Fetched when they are looked at.
const side = { getParentRoute: () => sessionRoute, validateSearch: (search: Record<string, unknown>) => sideSearch(search) } as const;
const searchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/search',
  validateSearch: (search: Record<string, unknown>) => addressOf(wantedOf(search)),
  component: lazyRouteComponent(() => insist(() => import('../pages/search/search-page.tsx'))),
});
const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sessions',
  validateSearch: (search: Record<string, unknown>) => searchOf(filterOf(search)),
  component: lazyRouteComponent(() => insist(() => import('../pages/session-list/sessions-page.tsx'))),
});
const tilesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tiles',
  validateSearch: (search: Record<string, unknown>): { s?: string } => (typeof search.s === 'string' && search.s !== '' ? { s: search.s } : {}),
  component: lazyRouteComponent(() => insist(() => import('../pages/tiles/tiles-page.tsx'))),
});
const usageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage',
  component: lazyRouteComponent(() => insist(() => import('../pages/usage/usage-page.tsx'))),
});
const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: lazyRouteComponent(() => insist(() => import('../pages/settings/settings-page.tsx'))),
});
const settingsTabs = [
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/settings/agents' });
    },
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'agents',
    component: lazyRouteComponent(() => insist(() => import('../pages/settings/agents/agents-tab.tsx')), 'AgentsTab'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'appearance',
    component: lazyRouteComponent(() => insist(() => import('../pages/settings/appearance/appearance-tab.tsx')), 'AppearanceTab'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'about',
    component: lazyRouteComponent(() => insist(() => import('../pages/settings/about/about-tab.tsx')), 'AboutTab'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'rules',
    component: lazyRouteComponent(() => insist(() => import('../pages/settings/rules/rules-tab.tsx')), 'RulesTab'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'audit',
    component: lazyRouteComponent(() => insist(() => import('../pages/settings/audit/audit-tab.tsx')), 'AuditTab'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'people',
    component: lazyRouteComponent(() => insist(() => import('../pages/settings/people/people-tab.tsx')), 'PeopleTab'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'notifications',
    component: lazyRouteComponent(() => insist(() => import('../pages/settings/notifications/notifications-tab.tsx')), 'NotificationsTab'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'data',
    component: lazyRouteComponent(() => insist(() => import('../pages/settings/data/data-tab.tsx')), 'DataTab'),
  }),
] as const;

const sessionSides = [
  createRoute({ ...side, path: 'changes', component: lazyRouteComponent(() => insist(() => import('../pages/session/inspector/changes/changes-pane.tsx'))) }),
  createRoute({ ...side, path: 'files', component: lazyRouteComponent(() => insist(() => import('../pages/session/inspector/files/files-pane.tsx'))) }),
  createRoute({
    ...side,
    path: 'timeline',
    component: lazyRouteComponent(() => insist(() => import('../pages/session/inspector/timeline/timeline-pane.tsx'))),
  }),
  createRoute({ ...side, path: 'raw', component: lazyRouteComponent(() => insist(() => import('../pages/session/inspector/raw/raw-pane.tsx'))) }),
] as const;

function SessionRoute() {
  const { sessionId } = sessionRoute.useParams();
  return <SessionPage key={sessionId} sessionId={sessionId} />;
}

function plainSearch(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** `basepath` is where the server hangs the page, `/` as a rule. */
export const createAppRouter = (basepath: string) =>
  createRouter({
    routeTree: rootRoute.addChildren([
      deckRoute,
      inboxRoute,
      sessionRoute.addChildren(sessionSides),
      listRoute,
      searchRoute,
      tilesRoute,
      usageRoute,
      settingsRoute.addChildren(settingsTabs),
    ]),
    basepath,
    notFoundMode: 'root',
    // The transcript goes to its event itself; the router would go there again at every step beside it.
    defaultHashScrollIntoView: false,
    // Plain words in the address: the router's own way would write `q="404"`.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => plainSearch(search),
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: SurfaceError,
  });

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}

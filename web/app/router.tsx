import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { lazily, loadWithRetry } from '../base/browser/lazily.ts';
import { NotFound } from '../base/ui/not-found.tsx';
import { SessionPage } from '../pages/session/session-page.tsx';
import { annotationFilterOf } from '../parts/address/annotations-address.ts';
import { inspectorSearch } from '../parts/address/inspector-address.ts';
import { searchAddressOf, searchFiltersOf } from '../parts/address/search-address.ts';
import { filterOf, searchOf } from '../store/session-list/filter.ts';
import { PageError } from './shell/page-error.tsx';
import { Shell } from './shell/shell.tsx';

// Lazy, so that opening a session doesn't wait for the deck.
const DeckPage = lazily(async () => ({ default: (await import('../pages/deck/deck-page.tsx')).DeckPage }));
const InboxPage = lazily(async () => ({ default: (await import('../pages/inbox/inbox-page.tsx')).InboxPage }));

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const deckRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', component: DeckPage, wrapInSuspense: true });
const inboxRoute = createRoute({ getParentRoute: () => rootRoute, path: '/inbox', component: InboxPage, wrapInSuspense: true });
const sessionRoute = createRoute({ getParentRoute: () => rootRoute, path: '/s/$sessionId', component: SessionRoute });

// Loaded on demand.
const inspectorRoute = { getParentRoute: () => sessionRoute, validateSearch: (search: Record<string, unknown>) => inspectorSearch(search) } as const;
const searchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/search',
  validateSearch: (search: Record<string, unknown>) => searchAddressOf(searchFiltersOf(search)),
  component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/search/search-page.tsx'))),
});
const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sessions',
  validateSearch: (search: Record<string, unknown>) => searchOf(filterOf(search)),
  component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/session-list/sessions-page.tsx'))),
});
const tilesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/tiles',
  validateSearch: (search: Record<string, unknown>): { s?: string } => (typeof search.s === 'string' && search.s !== '' ? { s: search.s } : {}),
  component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/tiles/tiles-page.tsx'))),
});
const worktreesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/worktrees',
  component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/worktrees/worktrees-page.tsx'))),
});
const annotationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/annotations',
  validateSearch: (search: Record<string, unknown>) => annotationFilterOf(search),
  component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/annotations/annotations-page.tsx'))),
});
const usageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage',
  component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/usage/usage-page.tsx'))),
});
const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/settings/settings-page.tsx'))),
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
    component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/settings/agents/agents-tab.tsx')), 'AgentsTab'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'appearance',
    component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/settings/appearance/appearance-tab.tsx')), 'AppearanceTab'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'about',
    component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/settings/about/about-tab.tsx')), 'AboutTab'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'rules',
    component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/settings/rules/rules-tab.tsx')), 'RulesTab'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'audit',
    component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/settings/audit/audit-tab.tsx')), 'AuditTab'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'people',
    component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/settings/people/people-tab.tsx')), 'PeopleTab'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'connections',
    component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/settings/connections/connections-tab.tsx')), 'ConnectionsTab'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'notifications',
    component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/settings/notifications/notifications-tab.tsx')), 'NotificationsTab'),
  }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'data',
    component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/settings/data/data-tab.tsx')), 'DataTab'),
  }),
] as const;

const inspectorRoutes = [
  createRoute({
    ...inspectorRoute,
    path: 'changes',
    component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/session/inspector/changes/changes-pane.tsx'))),
  }),
  createRoute({
    ...inspectorRoute,
    path: 'review',
    component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/session/inspector/review/review-pane.tsx'))),
  }),
  createRoute({
    ...inspectorRoute,
    path: 'finish',
    component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/session/inspector/finish/finish-pane.tsx'))),
  }),
  createRoute({
    ...inspectorRoute,
    path: 'files',
    component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/session/inspector/files/files-pane.tsx'))),
  }),
  createRoute({
    ...inspectorRoute,
    path: 'timeline',
    component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/session/inspector/timeline/timeline-pane.tsx'))),
  }),
  createRoute({
    ...inspectorRoute,
    path: 'raw',
    component: lazyRouteComponent(() => loadWithRetry(() => import('../pages/session/inspector/raw/raw-pane.tsx'))),
  }),
] as const;

function SessionRoute() {
  const { sessionId } = sessionRoute.useParams();
  return <SessionPage key={sessionId} sessionId={sessionId} />;
}

function plainSearch(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** `basepath` is where the server mounts the page, usually `/`. */
export const createAppRouter = (basepath: string) =>
  createRouter({
    routeTree: rootRoute.addChildren([
      deckRoute,
      inboxRoute,
      sessionRoute.addChildren(inspectorRoutes),
      listRoute,
      searchRoute,
      tilesRoute,
      annotationsRoute,
      worktreesRoute,
      usageRoute,
      settingsRoute.addChildren(settingsTabs),
    ]),
    basepath,
    notFoundMode: 'root',
    // The transcript scrolls to its event itself; the router would do it again on every navigation in the inspector.
    defaultHashScrollIntoView: false,
    // Plain query strings: the router's own format would write `q="404"`.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => plainSearch(search),
    defaultNotFoundComponent: NotFound,
    defaultErrorComponent: PageError,
  });

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}

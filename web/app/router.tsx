import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { filterOf, searchOf } from '../library/filter.ts';
import { addressOf, wantedOf } from '../search/question.ts';
import { SessionPage } from '../session/session-page.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { Shell } from '../shell/shell.tsx';
import { sideSearch } from '../sides/side.ts';
import { lazily } from '../ui/lazily.ts';

// Whoever opens a session does not wait for the deck.
const DeckPage = lazily(async () => ({ default: (await import('../deck/deck-page.tsx')).DeckPage }));
const InboxPage = lazily(async () => ({ default: (await import('../inbox/inbox-page.tsx')).InboxPage }));

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
  component: lazyRouteComponent(() => import('../search/search-page.tsx')),
});
const listRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sessions',
  validateSearch: (search: Record<string, unknown>) => searchOf(filterOf(search)),
  component: lazyRouteComponent(() => import('../library/sessions-page.tsx')),
});
const usageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/usage',
  component: lazyRouteComponent(() => import('../usage/usage-page.tsx')),
});
const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('../settings/settings-page.tsx')),
});
const settingsTabs = [
  createRoute({
    getParentRoute: () => settingsRoute,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/settings/rules' });
    },
  }),
  createRoute({ getParentRoute: () => settingsRoute, path: 'rules', component: lazyRouteComponent(() => import('../settings/rules-tab.tsx'), 'RulesTab') }),
  createRoute({ getParentRoute: () => settingsRoute, path: 'audit', component: lazyRouteComponent(() => import('../settings/audit-tab.tsx'), 'AuditTab') }),
  createRoute({ getParentRoute: () => settingsRoute, path: 'people', component: lazyRouteComponent(() => import('../settings/people-tab.tsx'), 'PeopleTab') }),
  createRoute({
    getParentRoute: () => settingsRoute,
    path: 'notifications',
    component: lazyRouteComponent(() => import('../push/notifications-tab.tsx'), 'NotificationsTab'),
  }),
  createRoute({ getParentRoute: () => settingsRoute, path: 'data', component: lazyRouteComponent(() => import('../settings/data-tab.tsx'), 'DataTab') }),
] as const;

const sessionSides = [
  createRoute({ ...side, path: 'changes', component: lazyRouteComponent(() => import('../changes/changes-pane.tsx')) }),
  createRoute({ ...side, path: 'files', component: lazyRouteComponent(() => import('../files/files-pane.tsx')) }),
  createRoute({ ...side, path: 'timeline', component: lazyRouteComponent(() => import('../timeline/timeline-pane.tsx')) }),
  createRoute({ ...side, path: 'raw', component: lazyRouteComponent(() => import('../raw/raw-pane.tsx')) }),
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
      usageRoute,
      settingsRoute.addChildren(settingsTabs),
    ]),
    basepath,
    // Plain words in the address: the router's own way would write `q="404"`.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => plainSearch(search),
    defaultNotFoundComponent: NotFound,
  });

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}

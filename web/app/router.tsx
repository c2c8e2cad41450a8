import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { DeckPage } from '../deck/deck-page.tsx';
import { InboxPage } from '../inbox/inbox-page.tsx';
import { SessionPage } from '../session/session-page.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { Shell } from '../shell/shell.tsx';

const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound });
const deckRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', component: DeckPage });
const inboxRoute = createRoute({ getParentRoute: () => rootRoute, path: '/inbox', component: InboxPage });
const sessionRoute = createRoute({ getParentRoute: () => rootRoute, path: '/s/$sessionId', component: SessionRoute });

// Seldom looked at: fetched when it is.
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
] as const;

function SessionRoute() {
  const { sessionId } = sessionRoute.useParams();
  return <SessionPage key={sessionId} sessionId={sessionId} />;
}

/** `basepath` is where the server hangs the page, `/` as a rule. */
export const createAppRouter = (basepath: string) =>
  createRouter({
    routeTree: rootRoute.addChildren([deckRoute, inboxRoute, sessionRoute, settingsRoute.addChildren(settingsTabs)]),
    basepath,
    defaultNotFoundComponent: NotFound,
  });

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
}

import { AUDIT_ROUTES } from './audit-routes.ts';
import { COMPLETION_ROUTES } from './completion-routes.ts';
import { EXPORT_ROUTES } from './export-routes.ts';
import { HEALTH_ROUTES } from './health-routes.ts';
import { ITEM_ROUTES } from './item-routes.ts';
import { LIBRARY_ROUTES } from './library-routes.ts';
import { LINK_ROUTES } from './link-routes.ts';
import { PANEL_ROUTES } from './panel-routes.ts';
import { PAST_ROUTES } from './past-routes.ts';
import { PUSH_ROUTES } from './push-routes.ts';
import { QUEUE_ROUTES } from './queue-routes.ts';
import type { Route } from './route.ts';
import { RULE_ROUTES } from './rule-routes.ts';
import { SERVICE_ROUTES } from './service-routes.ts';
import { SESSION_ROUTES } from './session-routes.ts';
import { SETTING_ROUTES } from './setting-routes.ts';
import { SIDE_ROUTES } from './side-routes.ts';
import { STATE_ROUTES } from './state-routes.ts';
import { STEERING_ROUTES } from './steering-routes.ts';
import { TAGS_ROUTES } from './tags-routes.ts';
import { TOKEN_ROUTES } from './token-routes.ts';

/** The one table: what is mounted, what is validated and what /openapi.json says. */
export const ROUTES: readonly Route[] = [
  ...SERVICE_ROUTES,
  ...SESSION_ROUTES,
  ...STEERING_ROUTES,
  ...QUEUE_ROUTES,
  ...SETTING_ROUTES,
  ...HEALTH_ROUTES,
  ...PANEL_ROUTES,
  ...EXPORT_ROUTES,
  ...SIDE_ROUTES,
  ...ITEM_ROUTES,
  ...COMPLETION_ROUTES,
  ...TAGS_ROUTES,
  ...STATE_ROUTES,
  ...PUSH_ROUTES,
  ...PAST_ROUTES,
  ...LIBRARY_ROUTES,
  ...RULE_ROUTES,
  ...AUDIT_ROUTES,
  ...TOKEN_ROUTES,
  ...LINK_ROUTES,
];

import type { Route } from '../route.ts';
import { ANNOTATION_ROUTES } from './annotation.ts';
import { AUDIT_ROUTES } from './audit.ts';
import { COMPLETION_ROUTES } from './completion.ts';
import { DEVICE_ROUTES } from './device.ts';
import { EXPORT_ROUTES } from './export.ts';
import { CHECKPOINT_ROUTES } from './git/checkpoints.ts';
import { GIT_ROUTES } from './git/finish.ts';
import { WORKTREE_ROUTES } from './git/worktrees.ts';
import { HEALTH_ROUTES } from './health.ts';
import { BLAME_ROUTES } from './history/blame.ts';
import { MOMENT_ROUTES } from './history/moment.ts';
import { INSPECTOR_ROUTES } from './inspector.ts';
import { ITEM_ROUTES } from './item.ts';
import { HOOK_ROUTES } from './outside/hook.ts';
import { POLL_ROUTES } from './outside/poll.ts';
import { SHARE_ROUTES } from './outside/share.ts';
import { WEBHOOK_ROUTES } from './outside/webhook.ts';
import { PANEL_ROUTES } from './panel.ts';
import { PAST_ROUTES } from './past.ts';
import { PUSH_ROUTES } from './push.ts';
import { QUEUE_ROUTES } from './queue.ts';
import { REVIEW_ROUTES } from './review.ts';
import { RULE_ROUTES } from './rule.ts';
import { SERVICE_ROUTES } from './service.ts';
import { SESSION_ROUTES } from './session.ts';
import { INDEX_ROUTES } from './session-index.ts';
import { SETTING_ROUTES } from './setting.ts';
import { STATE_ROUTES } from './state.ts';
import { STEERING_ROUTES } from './steering.ts';
import { TAGS_ROUTES } from './tags.ts';
import { TOKEN_ROUTES } from './token.ts';
import { TOOL_ROUTES } from './tool.ts';

/** The only route table: what is mounted, validated, and described in /openapi.json. */
export const ROUTES: readonly Route[] = [
  ...SERVICE_ROUTES,
  ...SESSION_ROUTES,
  ...STEERING_ROUTES,
  ...QUEUE_ROUTES,
  ...SETTING_ROUTES,
  ...HEALTH_ROUTES,
  ...PANEL_ROUTES,
  ...EXPORT_ROUTES,
  ...INSPECTOR_ROUTES,
  ...MOMENT_ROUTES,
  ...CHECKPOINT_ROUTES,
  ...GIT_ROUTES,
  ...ITEM_ROUTES,
  ...ANNOTATION_ROUTES,
  ...REVIEW_ROUTES,
  ...BLAME_ROUTES,
  ...COMPLETION_ROUTES,
  ...TAGS_ROUTES,
  ...STATE_ROUTES,
  ...PUSH_ROUTES,
  ...PAST_ROUTES,
  ...INDEX_ROUTES,
  ...RULE_ROUTES,
  ...AUDIT_ROUTES,
  ...TOKEN_ROUTES,
  ...DEVICE_ROUTES,
  ...TOOL_ROUTES,
  ...WORKTREE_ROUTES,
  ...HOOK_ROUTES,
  ...POLL_ROUTES,
  ...WEBHOOK_ROUTES,
  ...SHARE_ROUTES,
];

import type { PushMessage } from '../../src/protocol/api/outside/push.ts';

/** Stored with a notification until it is clicked. */
export interface NotificationData {
  readonly path: string;
  readonly requestId?: string;
}

/** A message as the system shows it. */
export interface SystemNotification {
  readonly title: string;
  readonly options: {
    readonly body: string;
    readonly tag: string;
    readonly icon: string;
    readonly badge: string;
    readonly data: NotificationData;
    readonly renotify: boolean;
    readonly requireInteraction: boolean;
    readonly actions: readonly { readonly action: 'allow' | 'deny'; readonly title: string }[];
  };
}

export function notificationOf({ title, body, path, tag, requestId }: PushMessage): SystemNotification {
  const asks = requestId !== undefined;
  return {
    title,
    options: {
      body,
      tag,
      icon: 'icon-192.png',
      badge: 'icon-192.png',
      data: { path, ...(asks && { requestId }) },
      renotify: true,
      requireInteraction: asks,
      actions: asks ? ANSWERS : [],
    },
  };
}

const ANSWERS = [
  { action: 'allow', title: 'Allow' },
  { action: 'deny', title: 'Deny' },
] as const;

/** The answer of a clicked action; undefined when the page should open instead. */
export function answerOf(action: string, { requestId }: NotificationData): { readonly path: string; readonly behavior: 'allow' | 'deny' } | undefined {
  if (requestId === undefined || (action !== 'allow' && action !== 'deny')) return undefined;
  return { path: `api/permissions/${encodeURIComponent(requestId)}`, behavior: action };
}

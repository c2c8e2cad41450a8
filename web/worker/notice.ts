import type { PushMessage } from '../../src/protocol/api/push.ts';

/** What is kept with a notification until somebody touches it. */
export interface Kept {
  readonly path: string;
  readonly requestId?: string;
}

/** How the system is to show a message. */
export interface Notice {
  readonly title: string;
  readonly options: {
    readonly body: string;
    readonly tag: string;
    readonly icon: string;
    readonly badge: string;
    readonly data: Kept;
    readonly renotify: boolean;
    readonly requireInteraction: boolean;
    readonly actions: readonly { readonly action: 'allow' | 'deny'; readonly title: string }[];
  };
}

export function noticeOf({ title, body, path, tag, requestId }: PushMessage): Notice {
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

/** The answer that a touched action gives; undefined when the page is to be opened. */
export function answerOf(action: string, { requestId }: Kept): { readonly path: string; readonly behavior: 'allow' | 'deny' } | undefined {
  if (requestId === undefined || (action !== 'allow' && action !== 'deny')) return undefined;
  return { path: `api/permissions/${encodeURIComponent(requestId)}`, behavior: action };
}

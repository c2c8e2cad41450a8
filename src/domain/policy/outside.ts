import type { Actor } from '../../protocol/actor.ts';
import type { Share, Webhook } from '../../protocol/api/outside/outside.ts';
import type { Refusal, WorkspaceCommandOf } from '../../protocol/command.ts';
import type { Event, EventBody } from '../../protocol/event.ts';

/** What others outside this server get: programs that are told what happens, and links to one session. */
export interface Outside {
  readonly webhooks: readonly Webhook[];
  readonly shares: readonly Share[];
}

export const NOTHING_OUTSIDE: Outside = { webhooks: [], shares: [] };

/** One request runs for each at a time; nobody needs more of them. */
const WEBHOOKS_MAX = 50;
/** Links that have expired count too, until somebody removes them. */
const SHARES_MAX = 1_000;

export function evolveOutside(outside: Outside, event: Event): Outside {
  switch (event.type) {
    case 'webhook.added':
      return { ...outside, webhooks: [...outside.webhooks, event.webhook] };
    case 'webhook.removed':
      return { ...outside, webhooks: outside.webhooks.filter(({ id }) => id !== event.webhookId) };
    case 'share.created':
      return { ...outside, shares: [...outside.shares, event.share] };
    case 'share.revoked':
      return { ...outside, shares: outside.shares.filter(({ id }) => id !== event.shareId) };
    default:
      return outside;
  }
}

type OutsideCommand = WorkspaceCommandOf<'webhook.add' | 'webhook.remove' | 'share.create' | 'share.revoke'>;

export function decideOutside(
  { webhooks, shares }: Outside,
  command: OutsideCommand,
  { at, actor }: { readonly at: string; readonly actor: Actor },
): readonly EventBody[] | Refusal {
  switch (command.type) {
    case 'webhook.add': {
      if (webhooks.length >= WEBHOOKS_MAX) return { refused: 'conflict', message: `The limit of ${WEBHOOKS_MAX} webhooks is reached. Remove some first.` };
      const { webhookId: id, url, events } = command;
      return [{ type: 'webhook.added', actor, webhook: { id, url, events, createdAt: at, createdBy: actor } }];
    }
    case 'webhook.remove':
      if (!webhooks.some(({ id }) => id === command.webhookId)) return { refused: 'not-found', message: `There is no webhook ${command.webhookId}.` };
      return [{ type: 'webhook.removed', actor, webhookId: command.webhookId }];
    case 'share.create': {
      const { shareId: id, sharedSession: sessionId, expiresAt } = command;
      if (shares.length >= SHARES_MAX) return { refused: 'conflict', message: `The limit of ${SHARES_MAX} links is reached. Revoke some first.` };
      if (expiresAt <= at) return { refused: 'out-of-range', message: 'expiresAt must be in the future.' };
      return [{ type: 'share.created', actor, share: { id, sessionId, expiresAt, createdAt: at, createdBy: actor } }];
    }
    case 'share.revoke':
      if (!shares.some(({ id }) => id === command.shareId)) return { refused: 'not-found', message: `There is no link ${command.shareId}.` };
      return [{ type: 'share.revoked', actor, shareId: command.shareId }];
  }
}

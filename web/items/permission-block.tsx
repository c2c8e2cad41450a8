import { memo } from 'react';
import type { PermissionItem } from '../../src/domain/transcript/item.ts';
import { useApp } from '../app/cockpit-context.ts';
import { ApprovalCard } from '../approvals/approval-card.tsx';
import { requestGist, wantsText } from '../approvals/request.ts';
import { durationText } from '../ui/words.ts';

interface PermissionBlockProps {
  readonly sessionId: string;
  readonly item: PermissionItem;
}

/** A card while it waits; afterwards one line that says who decided. */
export const PermissionBlock = memo(function PermissionBlock({ sessionId, item }: PermissionBlockProps) {
  const hasKeys = useApp((state) => firstWaiting(state.open.get(sessionId)?.transcript.items.values()) === item.requestId);
  const { requested, resolved } = item;
  // The call itself stands just above and says what it was about.
  const isToolShown = useApp((state) => state.open.get(sessionId)?.transcript.items.has(`tool:${requested?.toolUseId}`) === true);
  const request = requested === undefined ? undefined : { ...requested, sessionId };
  if (resolved === undefined) return request === undefined ? null : <ApprovalCard request={request} hasKeys={hasKeys} />;
  const took = requested === undefined ? undefined : Date.parse(resolved.at) - Date.parse(requested.at);
  return (
    <p className="decided">
      <span className="decided-word">{OUTCOMES[resolved.outcome]}</span>
      {resolved.actor !== undefined && ` by ${resolved.actor.name}`}
      {took !== undefined && ` after ${durationText(took)}`}
      {request !== undefined && !isToolShown && (
        <>
          {': '}
          {wantsText(request)} <code>{requestGist(request)}</code>
        </>
      )}
      {resolved.message !== undefined && resolved.message !== '' && <span className="decided-reason">“{resolved.message}”</span>}
    </p>
  );
});

const OUTCOMES = { allowed: 'Allowed', denied: 'Denied', cancelled: 'Withdrawn', lapsed: 'Lapsed unanswered' } as const;

function firstWaiting(items: Iterable<{ readonly kind: string }> | undefined): string | undefined {
  for (const item of items ?? []) {
    if (isWaiting(item)) return item.requestId;
  }
  return undefined;
}

const isWaiting = (item: { readonly kind: string }): item is PermissionItem => item.kind === 'permission' && !('resolved' in item);

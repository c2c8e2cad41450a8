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
  const answers = answersOf(resolved.updatedInput);
  const took = requested === undefined ? undefined : Date.parse(resolved.at) - Date.parse(requested.at);
  return (
    <p className="decided">
      <span className="decided-word">{OUTCOMES[requested?.kind ?? 'tool'][resolved.outcome]}</span>
      {resolved.actor !== undefined && ` by ${resolved.actor.name}`}
      {took !== undefined && ` after ${durationText(took)}`}
      {request !== undefined && !isToolShown && (
        <>
          {': '}
          {wantsText(request)} <code>{requestGist(request)}</code>
        </>
      )}
      {answers !== '' && <span className="decided-answer">: {answers}</span>}
      {resolved.message !== undefined && resolved.message !== '' && <span className="decided-reason">“{resolved.message}”</span>}
    </p>
  );
});

const ENDED = { cancelled: 'Withdrawn', lapsed: 'Lapsed unanswered' } as const;
const OUTCOMES = {
  tool: { allowed: 'Allowed', denied: 'Denied', ...ENDED },
  question: { allowed: 'Answered', denied: 'Skipped', ...ENDED },
  plan: { allowed: 'Approved', denied: 'Sent back', ...ENDED },
} as const;

/** What was chosen, in the order of the questions. */
function answersOf(updatedInput: Readonly<Record<string, unknown>> | undefined): string {
  const answers = updatedInput?.answers;
  return typeof answers === 'object' && answers !== null ? Object.values(answers).join(' · ') : '';
}

function firstWaiting(items: Iterable<{ readonly kind: string }> | undefined): string | undefined {
  for (const item of items ?? []) {
    if (isWaiting(item)) return item.requestId;
  }
  return undefined;
}

const isWaiting = (item: { readonly kind: string }): item is PermissionItem => item.kind === 'permission' && !('resolved' in item);

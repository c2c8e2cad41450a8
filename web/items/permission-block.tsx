import { memo } from 'react';
import type { PermissionItem } from '../../src/domain/transcript/item.ts';
import { useApp } from '../app/cockpit-context.ts';
import { ApprovalCard } from '../approvals/approval-card.tsx';
import { answersText, byText, outcomeWord } from '../approvals/outcome.ts';
import { requestGist, wantsText } from '../approvals/request.ts';
import { VisibleLine, VisibleText } from '../ui/visible-text.tsx';
import { durationText, modeText } from '../ui/words.ts';
import { PermissionChange } from './permission-change.tsx';

interface PermissionBlockProps {
  readonly sessionId: string;
  readonly item: PermissionItem;
}

/** A card while it waits; afterwards one line that says who decided. */
export const PermissionBlock = memo(function PermissionBlock({ sessionId, item }: PermissionBlockProps) {
  const hasKeys = useApp((state) => firstWaiting(state.open.get(sessionId)?.transcript.items.values()) === item.requestId);
  const { requested, resolved } = item;
  if (resolved !== undefined) return <Decided sessionId={sessionId} item={{ ...item, resolved }} />;
  return requested === undefined ? null : <ApprovalCard request={{ ...requested, sessionId }} chosen={hasKeys ? 'by-itself' : undefined} />;
});

type DecidedItem = PermissionItem & Required<Pick<PermissionItem, 'resolved'>>;

function Decided({ sessionId, item: { requested, resolved } }: { readonly sessionId: string; readonly item: DecidedItem }) {
  // The call itself stands just above and says what it was about.
  const isToolShown = useApp((state) => state.open.get(sessionId)?.transcript.items.has(`tool:${requested?.toolUseId}`) === true);
  const request = requested === undefined ? undefined : { ...requested, sessionId };
  const answers = answersText(resolved);
  const took = requested === undefined ? undefined : Date.parse(resolved.at) - Date.parse(requested.at);
  return (
    <div className="decided">
      <p>
        <span className="decided-word">{outcomeWord(requested?.kind ?? 'tool', resolved)}</span>
        <VisibleLine text={byText(resolved)} />
        {took !== undefined && ` after ${durationText(took)}`}
        {resolved.remember !== undefined && `, and remembered: ${REMEMBERED[resolved.remember.scope]}`}
        {resolved.mode !== undefined && `, goes on so that it ${modeText(resolved.mode)}`}
        {resolved.interrupt === true && ', and interrupted'}
        {request !== undefined && !isToolShown && (
          <>
            {': '}
            <VisibleLine text={wantsText(request)} />{' '}
            <code>
              <VisibleLine text={requestGist(request)} />
            </code>
          </>
        )}
        {answers !== '' && (
          <span className="decided-answer">
            : <VisibleText text={answers} />
          </span>
        )}
        {resolved.message !== undefined && resolved.message !== '' && (
          <span className="decided-reason">
            “<VisibleText text={resolved.message} />”
          </span>
        )}
      </p>
      {requested !== undefined && resolved.updatedInput !== undefined && <PermissionChange before={requested.input} after={resolved.updatedInput} />}
    </div>
  );
}

const REMEMBERED = { session: 'in this session', project: 'in this project', everywhere: 'everywhere' } as const;

function firstWaiting(items: Iterable<{ readonly kind: string }> | undefined): string | undefined {
  for (const item of items ?? []) {
    if (isWaiting(item)) return item.requestId;
  }
  return undefined;
}

const isWaiting = (item: { readonly kind: string }): item is PermissionItem => item.kind === 'permission' && !('resolved' in item);

import { memo } from 'react';
import { requestSummary, wantsText } from '../../../../src/domain/permission/request-text.ts';
import { resolvedRequest } from '../../../../src/domain/permission/resolved.ts';
import type { PermissionItem } from '../../../../src/domain/transcript/item.ts';
import { decisionText, waitedText } from '../../../../src/domain/transcript/outcomes.ts';
import { modeText } from '../../../base/text/format.ts';
import { VisibleLine, VisibleText } from '../../../base/ui/visible-text.tsx';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { shownIn } from '../../../store/state/app-state.ts';
import { LazyApprovalCard } from '../../approvals/card/lazy-approval-card.tsx';
import { answersText } from '../../approvals/card/outcome.ts';
import type { Request } from '../../approvals/request/request.ts';
import { shownCards } from '../../approvals/selection/session-cards.ts';
import { useCardSelection } from '../../approvals/selection/session-selection.tsx';
import { useClickGuard } from '../../approvals/selection/use-click-guard.ts';
import { PermissionChange } from './permission-change.tsx';

interface PermissionBlockProps {
  readonly sessionId: string;
  readonly item: PermissionItem;
}

/** A card while the request is pending, and a moment longer when someone else decided it; after that, one line that says who decided. */
export const PermissionBlock = memo(function PermissionBlock({ sessionId, item }: PermissionBlockProps) {
  const { requestId, requested, resolved } = item;
  const isCard = useApp((state) => shownCards(state, sessionId).includes(requestId));
  if (isCard && requested !== undefined) return <SessionCard request={{ ...requested, sessionId }} resolved={resolved} />;
  return resolved === undefined ? null : <Decided sessionId={sessionId} item={{ ...item, resolved }} />;
});

interface SessionCardProps {
  readonly request: Request;
  readonly resolved: PermissionItem['resolved'];
}

function SessionCard({ request, resolved }: SessionCardProps) {
  const cockpit = useCockpit();
  const { sessionId, requestId } = request;
  const { chosen, onFocusCapture } = useCardSelection(requestId);
  const shown = useApp((state) => shownCards(state, sessionId).join('\n'));
  // The page sticks to its end, so a card that appears below moves this one too.
  const clickGuard = useClickGuard(shown.split('\n'), () => cockpit.touchWaiting(), hasChanged);
  return (
    <div {...clickGuard} onFocusCapture={onFocusCapture}>
      <LazyApprovalCard request={request} chosen={chosen} left={resolved === undefined ? undefined : { resolved: resolvedRequest(resolved) }} />
    </div>
  );
}

const hasChanged = (before: readonly string[], after: readonly string[]): boolean => before.join('\n') !== after.join('\n');

type DecidedItem = PermissionItem & Required<Pick<PermissionItem, 'resolved'>>;

function Decided({ sessionId, item: { requested, resolved } }: { readonly sessionId: string; readonly item: DecidedItem }) {
  // The call itself is right above and says what it was about.
  const isToolShown = useApp((state) => shownIn(state, sessionId)?.items.has(`tool:${requested?.toolUseId}`) === true);
  const request = requested === undefined ? undefined : { ...requested, sessionId };
  const answers = answersText(resolved);
  const you = useApp((state) => state.you?.id);
  return (
    <div className="decided">
      <p>
        <span className="decided-word">
          <VisibleLine text={decisionText(resolved, { kind: requested?.kind ?? 'tool', you })} />
        </span>
        {requested !== undefined && waitedText(requested.at, resolved)}
        {resolved.remember !== undefined && ` · remembered ${REMEMBERED[resolved.remember.scope]}`}
        {resolved.mode !== undefined && ` · mode: ${modeText(resolved.mode)}`}
        {resolved.interrupt === true && ' · and interrupted the agent'}
        {request !== undefined && !isToolShown && (
          <>
            {': '}
            <VisibleLine text={wantsText(request)} />{' '}
            <code>
              <VisibleLine text={requestSummary(request)} />
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

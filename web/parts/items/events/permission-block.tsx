import { memo } from 'react';
import { requestGist, wantsText } from '../../../../src/domain/permission/wants.ts';
import type { PermissionItem } from '../../../../src/domain/transcript/item.ts';
import { VisibleLine, VisibleText } from '../../../base/ui/visible-text.tsx';
import { durationText, modeText } from '../../../base/words/words.ts';
import { useApp, useCockpit } from '../../../store/cockpit-context.ts';
import { shownIn } from '../../../store/state/app-state.ts';
import { LaterCard } from '../../approvals/card/later-card.tsx';
import { answersText, byText, outcomeWord } from '../../approvals/card/outcome.ts';
import type { Request } from '../../approvals/request/request.ts';
import { shownCards } from '../../approvals/selection/session-cards.ts';
import { useCardSelection } from '../../approvals/selection/session-selection.tsx';
import { useSteadyHand } from '../../approvals/selection/use-click-guard.ts';
import { PermissionChange } from './permission-change.tsx';

interface PermissionBlockProps {
  readonly sessionId: string;
  readonly item: PermissionItem;
}

/** A card while it waits, and for a moment more when somebody else decided it; afterwards one line that says who decided. */
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
  // The page stays at its end: also a card that comes below moves this one.
  const hand = useSteadyHand(shown.split('\n'), () => cockpit.touchWaiting(), hasChanged);
  return (
    <div {...hand} onFocusCapture={onFocusCapture}>
      <LaterCard request={request} chosen={chosen} left={resolved === undefined ? undefined : { resolved }} />
    </div>
  );
}

const hasChanged = (before: readonly string[], after: readonly string[]): boolean => before.join('\n') !== after.join('\n');

type DecidedItem = PermissionItem & Required<Pick<PermissionItem, 'resolved'>>;

function Decided({ sessionId, item: { requested, resolved } }: { readonly sessionId: string; readonly item: DecidedItem }) {
  // The call itself stands just above and says what it was about.
  const isToolShown = useApp((state) => shownIn(state, sessionId)?.items.has(`tool:${requested?.toolUseId}`) === true);
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

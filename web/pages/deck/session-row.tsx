import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { BypassSign } from '../../base/ui/bypass-sign.tsx';
import { lampOf, wordOf } from '../../base/ui/lamp.ts';
import { LampIcon } from '../../base/ui/lamp-icon.tsx';
import { Ago } from '../../parts/common/ago.tsx';
import { sessionLine } from '../../parts/common/session-line.ts';
import { UnreadDot } from '../../parts/common/unread-dot.tsx';
import { useUnread } from '../../parts/common/use-unread.ts';
import type { RowProps } from './deck-section.tsx';
import { RowFacts } from './row-facts.tsx';
import { useFocusWhenSelected } from './use-focus-when-selected.ts';

export const SessionRow = memo(function SessionRow({ session, isChosen, takesFocus }: RowProps) {
  const link = useFocusWhenSelected(takesFocus);
  const lamp = lampOf(session);
  const isUnread = useUnread(session);
  return (
    <li className={`session-row state-${lamp.shape}${isUnread ? ' unread' : ''}`}>
      <Link ref={link} to="/s/$sessionId" params={{ sessionId: session.id }} data-session={session.id} aria-current={isChosen ? 'true' : undefined}>
        <LampIcon shape={lamp.shape} />
        <span className="row-main">
          <span className="row-title">
            {session.title}
            {isUnread && <UnreadDot />}
          </span>
          <span className="row-line">{sessionLine(session)}</span>
        </span>
        <span className="row-facts">
          <BypassSign mode={session.permissionMode} />
          <RowFacts session={session} />
        </span>
        <span className="row-state">
          <span className="row-word">{wordOf(lamp, isUnread)}</span> <Ago at={session.updatedAt} />
        </span>
      </Link>
    </li>
  );
});

import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { BypassSign } from '../../base/ui/bypass-sign.tsx';
import { lampOf } from '../../base/ui/lamp.ts';
import { LampIcon } from '../../base/ui/lamp-icon.tsx';
import { Ago } from '../../parts/common/ago.tsx';
import { sessionLine } from '../../parts/common/session-line.ts';
import type { RowProps } from './deck-section.tsx';
import { RowFacts } from './row-facts.tsx';
import { useFocusWhenSelected } from './use-focus-when-selected.ts';

export const SessionRow = memo(function SessionRow({ session, isChosen, takesFocus }: RowProps) {
  const link = useFocusWhenSelected(takesFocus);
  const lamp = lampOf(session);
  return (
    <li className={`session-row state-${lamp.shape}`}>
      <Link ref={link} to="/s/$sessionId" params={{ sessionId: session.id }} data-session={session.id} aria-current={isChosen ? 'true' : undefined}>
        <LampIcon shape={lamp.shape} />
        <span className="row-main">
          <span className="row-title">{session.title}</span>
          <span className="row-line">{sessionLine(session)}</span>
        </span>
        <span className="row-facts">
          <BypassSign mode={session.permissionMode} />
          <RowFacts session={session} />
        </span>
        <span className="row-state">
          <span className="row-word">{lamp.word}</span> <Ago at={session.updatedAt} />
        </span>
      </Link>
    </li>
  );
});

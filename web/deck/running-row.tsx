import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useApp } from '../app/cockpit-context.ts';
import { isWaiting } from '../store/deck.ts';
import { BypassSign } from '../ui/bypass-sign.tsx';
import type { RowProps } from './deck-section.tsx';
import { lineOf } from './line-of.ts';
import { RowFacts } from './row-facts.tsx';
import { TodoMeter } from './todo-meter.tsx';
import { useChosenLink } from './use-chosen-link.ts';

/** What the panel cannot say of a line: what it does just now, how far it is, and what it takes. What it waits for is said by the card. */
export const RunningRow = memo(function RunningRow({ session, isChosen }: RowProps) {
  const link = useChosenLink(isChosen);
  const todo = useApp((state) => state.panel.tracks.get(session.id)?.todo);
  return (
    <li className="session-row running-row">
      <Link ref={link} to="/s/$sessionId" params={{ sessionId: session.id }}>
        <span className="row-main">
          <span className="row-title">{session.title}</span>
          {!isWaiting(session) && <span className="row-line">{lineOf(session)}</span>}
        </span>
        <span className="row-facts">
          <BypassSign mode={session.permissionMode} />
          <RowFacts session={session} />
        </span>
        <span className="row-todo">{todo !== undefined && <TodoMeter done={todo.done} total={todo.total} />}</span>
      </Link>
    </li>
  );
});

import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { BypassSign } from '../../base/ui/bypass-sign.tsx';
import { lampOf } from '../../base/ui/lamp.ts';
import { LampIcon } from '../../base/ui/lamp-icon.tsx';
import { sessionLine } from '../../parts/common/session-line.ts';
import { useApp } from '../../store/cockpit-context.ts';
import type { RowProps } from './deck-section.tsx';
import { RowFacts } from './row-facts.tsx';
import { TodoMeter } from './todo-meter.tsx';
import { useFocusWhenSelected } from './use-focus-when-selected.ts';

/** What the panel doesn't show: what a session is doing or asking now, its progress and its cost. */
export const RunningRow = memo(function RunningRow({ session, isChosen, takesFocus }: RowProps) {
  const link = useFocusWhenSelected(takesFocus);
  const lamp = lampOf(session);
  const todo = useApp((state) => state.panel.tracks.get(session.id)?.todo);
  return (
    <li className="session-row running-row">
      <Link ref={link} to="/s/$sessionId" params={{ sessionId: session.id }} data-session={session.id} aria-current={isChosen ? 'true' : undefined}>
        <LampIcon shape={lamp.shape} />
        <span className="row-main">
          <span className="row-title">
            {session.title}
            <span className="unseen">, {lamp.word}</span>
          </span>
          <span className="row-line">{sessionLine(session)}</span>
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

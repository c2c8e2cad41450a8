import { Link } from '@tanstack/react-router';
import { memo, useEffect, useRef } from 'react';
import type { Session } from '../../src/protocol/session.ts';
import { Ago } from '../ui/ago.tsx';
import { BypassSign } from '../ui/bypass-sign.tsx';
import { ContextMeter } from '../ui/context-meter.tsx';
import { lampOf } from '../ui/lamp.ts';
import { LampIcon } from '../ui/lamp-icon.tsx';
import { costText, memoryText } from '../ui/words.ts';
import { lineOf } from './line-of.ts';

interface SessionRowProps {
  readonly session: Session;
  readonly isChosen: boolean;
}

export const SessionRow = memo(function SessionRow({ session, isChosen }: SessionRowProps) {
  const link = useRef<HTMLAnchorElement>(null);
  const lamp = lampOf(session);
  useEffect(() => {
    if (isChosen) link.current?.focus();
  }, [isChosen]);
  return (
    <li className={`session-row state-${lamp.shape}`}>
      <Link ref={link} to="/s/$sessionId" params={{ sessionId: session.id }}>
        <LampIcon shape={lamp.shape} />
        <span className="row-main">
          <span className="row-title">{session.title}</span>
          <span className="row-line">{lineOf(session)}</span>
        </span>
        <span className="row-facts">
          <span className="row-project">{session.project}</span>
          {session.rssBytes !== undefined && (
            <span className="row-memory" title="Memory of its process">
              {memoryText(session.rssBytes)}
            </span>
          )}
          {session.context !== undefined && <ContextMeter tokens={session.context.tokens} window={session.context.window} />}
          <span className="row-cost">{session.costUsd === undefined ? '' : costText(session.costUsd)}</span>
        </span>
        <span className="row-state">
          <BypassSign mode={session.permissionMode} />
          <span className="row-word">{lamp.word}</span> <Ago at={session.updatedAt} />
        </span>
      </Link>
    </li>
  );
});

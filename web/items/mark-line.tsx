import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { MarkEvent } from '../../src/domain/transcript/item.ts';
import { useApp } from '../app/cockpit-context.ts';
import { Fold } from './fold.tsx';
import { markText, markTone } from './mark-text.ts';

interface MarkLineProps {
  readonly sessionId: string;
  readonly event: MarkEvent;
}

/** One quiet line for what happened around the conversation. */
export const MarkLine = memo(function MarkLine({ sessionId, event }: MarkLineProps) {
  const line = `mark mark-${markTone(event)}`;
  if (event.type === 'handover.ready') {
    return (
      <Fold foldKey={`handover:${sessionId}:${event.seq}`} label={<span className={line}>{markText(event)}</span>}>
        <pre className="handover-text">{event.text}</pre>
      </Fold>
    );
  }
  return (
    <p className={line}>
      {markText(event)}
      {event.type === 'session.created' && event.parent !== undefined && <ParentLink sessionId={event.parent.sessionId} seq={event.parent.seq} />}
    </p>
  );
});

function ParentLink({ sessionId, seq }: { readonly sessionId: string; readonly seq: number }) {
  const title = useApp((state) => state.sessions.get(sessionId)?.title);
  return (
    <>
      {' · from '}
      <Link to="/s/$sessionId" params={{ sessionId }} hash={`e${seq}`}>
        {title ?? 'a session that is no longer here'}
      </Link>
    </>
  );
}

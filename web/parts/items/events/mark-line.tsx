import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { MarkEvent } from '../../../../src/domain/transcript/item.ts';
import type { EventOf } from '../../../../src/protocol/event.ts';
import { useApp } from '../../../store/cockpit-context.ts';
import { agentTitleIn } from '../../common/agent-title.ts';
import { Fold } from '../../common/fold.tsx';
import { SafeLink } from '../../markdown/safe-link.tsx';
import { ansiLines } from '../content/ansi.ts';
import { AnsiText } from '../content/ansi-text.tsx';
import { sentenceOf } from './mark-text.ts';

interface MarkLineProps {
  readonly sessionId: string;
  readonly event: MarkEvent;
}

/** One quiet line for what happened around the conversation. */
export const MarkLine = memo(function MarkLine({ sessionId, event }: MarkLineProps) {
  const agent = useApp((state) => agentTitleIn(state, sessionId));
  const { text, tone, href } = sentenceOf(event, agent);
  const line = `mark mark-${tone}`;
  if (event.type === 'handover.ready') {
    return (
      <Fold foldKey={`handover:${sessionId}:${event.seq}`} label={<span className={line}>{text}</span>}>
        <pre className="handover-text">{event.text}</pre>
      </Fold>
    );
  }
  if (event.type === 'hook.ran' && (event.output ?? '').trim().includes('\n')) return <HookMark sessionId={sessionId} event={event} line={line} text={text} />;
  return (
    <p className={line}>
      {href === undefined ? text : <SafeLink href={href}>{text}</SafeLink>}
      {event.type === 'session.created' && event.parent !== undefined && <ParentLink sessionId={event.parent.sessionId} seq={event.parent.seq} />}
    </p>
  );
});

interface HookMarkProps extends MarkLineProps {
  readonly event: EventOf<'hook.ran'>;
  readonly line: string;
  readonly text: string;
}

/** A hook's output may be as long as any other output. */
function HookMark({ sessionId, event, line, text }: HookMarkProps) {
  return (
    <Fold foldKey={`hook:${sessionId}:${event.seq}`} label={<span className={line}>{text}</span>}>
      <pre className="arguments">
        <AnsiText lines={ansiLines(event.output ?? '')} />
      </pre>
    </Fold>
  );
}

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

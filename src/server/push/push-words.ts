import { requestGist, wantsText } from '../../domain/permission/wants.ts';
import type { PushMessage, PushSettings } from '../../protocol/api/push.ts';
import type { Event } from '../../protocol/event.ts';
import type { WaitingPermission } from '../../protocol/http.ts';
import type { Session } from '../../protocol/session.ts';

/** What happened that a person may want to hear of, and in which words. */
export interface PushNews {
  readonly about: keyof Pick<PushSettings, 'waiting' | 'finished' | 'failed'>;
  readonly message: PushMessage;
}

/** A screen that is locked shows two or three lines. */
const LINE_CHARS = 180;

export function newsOfRequest(request: WaitingPermission, agentTitle: string): PushNews {
  const gist = requestGist(request);
  return {
    about: 'waiting',
    message: {
      title: line(request.sessionTitle),
      body: line(`${agentTitle} ${wantsText(request)}${gist === '' ? '' : `: ${gist}`}`),
      path: pathOf(request.sessionId, request.seq),
      tag: `waiting ${request.requestId}`,
      ...(request.kind === 'tool' && { requestId: request.requestId }),
    },
  };
}

/** A turn that ended while nothing waits behind it, or a session that failed; the session as it is after the event. */
export function newsOfEvent(event: Event, session: Session): PushNews | undefined {
  if (event.type === 'session.status' && event.status === 'failed') return failed(event.seq, session, session.lastLine);
  if (event.type !== 'turn.completed' || event.interrupted || !RESTING.has(session.status) || event.elsewhere === true) return undefined;
  if (event.isError) return failed(event.seq, session, event.errors?.[0] ?? event.result);
  return { about: 'finished', message: messageOf(session, event.seq, `has finished. ${session.lastLine ?? ''}`) };
}

const RESTING: ReadonlySet<string> = new Set(['idle', 'sleeping', 'ended', 'failed']);

const failed = (seq: number, session: Session, why = ''): PushNews => ({ about: 'failed', message: messageOf(session, seq, `has failed. ${why}`) });

/** One a session: what it came to last is what counts. */
const messageOf = (session: Session, seq: number, words: string): PushMessage => ({
  title: line(session.title),
  body: line(words),
  path: pathOf(session.id, seq),
  tag: `session ${session.id}`,
});

const pathOf = (sessionId: string, seq: number): string => `s/${encodeURIComponent(sessionId)}#e${seq}`;

function line(text: string): string {
  const one = text.replaceAll(/\s+/g, ' ').trim();
  return one.length > LINE_CHARS ? `${one.slice(0, LINE_CHARS - 1)}…` : one;
}

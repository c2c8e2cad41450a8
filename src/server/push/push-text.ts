import { requestSummary, wantsText } from '../../domain/permission/request-text.ts';
import type { PushMessage, PushSettings } from '../../protocol/api/outside/push.ts';
import type { Event, EventOf } from '../../protocol/event.ts';
import type { WaitingPermission } from '../../protocol/http.ts';
import type { Session } from '../../protocol/session.ts';

/** Something to notify people about, and the notification itself. */
export interface PushNews {
  readonly about: keyof Pick<PushSettings, 'waiting' | 'finished' | 'failed'>;
  readonly message: PushMessage;
}

/** A lock screen shows two or three lines. */
const LINE_CHARS = 180;

export function newsOfRequest(request: WaitingPermission, agentTitle: string): PushNews {
  const summary = requestSummary(request);
  return {
    about: 'waiting',
    message: {
      title: line(request.sessionTitle),
      body: line(`${agentTitle} ${wantsText(request)}${summary === '' ? '' : `: ${summary}`}`),
      path: pathOf(request.sessionId, request.seq),
      tag: `waiting ${request.requestId}`,
      ...(request.kind === 'tool' && { requestId: request.requestId }),
    },
  };
}

/** News of a turn that ended with nothing queued, or of a session that failed. `session` is its state after the event. */
export function newsOfEvent(event: Event, session: Session): PushNews | undefined {
  // A failed turn has its own event, and one that is still failed after it slept or woke is no news.
  if (event.type === 'session.status' && event.status === 'failed' && event.cause === 'session.exited') return failed(event.seq, session, session.lastLine);
  if (event.type === 'pr.updated') return newsOfPullRequest(event, session);
  if (event.type !== 'turn.completed' || event.interrupted || !RESTING.has(session.status) || event.elsewhere === true) return undefined;
  if (event.isError) return failed(event.seq, session, event.errors?.[0] ?? event.result);
  return { about: 'finished', message: messageOf(session, event.seq, `Finished. ${session.lastLine ?? ''}`) };
}

/** What a person should look at is a card; cards of this event have its time. */
function newsOfPullRequest({ at, seq }: EventOf<'pr.updated'>, session: Session): PushNews | undefined {
  const [card] = session.pr?.cards.filter((each) => each.at === at) ?? [];
  if (card === undefined) return undefined;
  const isCheck = card.kind === 'check';
  return {
    about: isCheck ? 'failed' : 'waiting',
    message: messageOf(session, seq, isCheck ? `Check failed: ${card.title}` : `${card.title} commented: ${card.text}`),
  };
}

const RESTING: ReadonlySet<string> = new Set(['idle', 'sleeping', 'ended', 'failed']);

const failed = (seq: number, session: Session, why = ''): PushNews => ({ about: 'failed', message: messageOf(session, seq, `Failed. ${why}`) });

/** One per session: the latest replaces the previous one. */
const messageOf = (session: Session, seq: number, text: string): PushMessage => ({
  title: line(session.title),
  body: line(text),
  path: pathOf(session.id, seq),
  tag: `session ${session.id}`,
});

const pathOf = (sessionId: string, seq: number): string => `s/${encodeURIComponent(sessionId)}#e${seq}`;

function line(text: string): string {
  const one = text.replaceAll(/\s+/g, ' ').trim();
  return one.length > LINE_CHARS ? `${one.slice(0, LINE_CHARS - 1)}…` : one;
}

import type { Event } from '../../protocol/event.ts';
import type { Delta, ServerFrame } from '../../protocol/frame.ts';
import { EventList } from '../../protocol/http.ts';
import { LIMITS } from '../../protocol/limits.ts';
import type { Session } from '../../protocol/session.ts';
import { followSession, type LiveFeed } from './live-feed.ts';
import { addressOf, type ServerLink } from './server-link.ts';

export interface FeedListener {
  /** Every event after `after`, once, in order, through any number of dropped connections. */
  event(event: Event): void;
  /** Text in progress; can repeat what was there before. */
  delta?(delta: Delta): void;
  /** The session after the events so far. */
  session?(session: Session): void;
  refused?(message: string): void;
  /** It was deleted, or made private to somebody else. */
  gone?(): void;
}

interface EventFeedOptions {
  readonly link: ServerLink;
  readonly sessionId: string;
  readonly after: number;
  readonly on: FeedListener;
}

/** A live feed without gaps: what is too much for a snapshot is read page by page first. */
export function followEvents({ link, sessionId, after, on }: EventFeedOptions): LiveFeed {
  let lastSeq = after;
  let fail: (error: unknown) => void = () => {};
  const broken = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  broken.catch(() => {});
  const put = (event: Event): void => {
    if (event.seq <= lastSeq) return;
    lastSeq = event.seq;
    on.event(event);
  };
  const take = async (frame: ServerFrame): Promise<void> => {
    if (frame.type === 'snapshot' && frame.firstSeq > lastSeq + 1)
      for await (const event of eventsBetween(link, sessionId, lastSeq, frame.firstSeq)) put(event);
    if (frame.type === 'snapshot') for (const event of frame.events) put(event);
    if (frame.type === 'event') put(frame.event);
    pass(frame, on);
  };
  let queue = Promise.resolve();
  const onFrame = (frame: ServerFrame): void => {
    queue = queue.then(() => take(frame)).catch(fail);
  };
  const feed = followSession({ address: () => link.now(), sessionId, after, onFrame });
  const failed = Promise.race([feed.failed, broken]);
  failed.catch(() => {});
  return { ...feed, failed };
}

/** Everything but events. */
function pass(frame: ServerFrame, on: FeedListener): void {
  if (frame.type === 'snapshot') for (const delta of frame.partial) on.delta?.(delta);
  if (frame.type === 'delta') on.delta?.(frame);
  if ((frame.type === 'snapshot' || frame.type === 'status') && frame.session !== undefined) on.session?.(frame.session);
  if (frame.type === 'status' && frame.deleted === true) on.gone?.();
  if (frame.type === 'refused') on.refused?.(frame.message);
}

async function* eventsBetween(link: ServerLink, sessionId: string, after: number, before: number): AsyncGenerator<Event> {
  for await (const event of eventsAfter(link, sessionId, after)) {
    if (event.seq >= before) return;
    yield event;
  }
}

/** All events after a seq, page by page. */
export async function* eventsAfter(link: ServerLink, sessionId: string, after: number): AsyncGenerator<Event> {
  for (let last = after; ; ) {
    const { events } = await link.ask(EventList, `${addressOf(sessionId)}/events?after=${last}&limit=${LIMITS.pageMax}`);
    yield* events;
    const end = events.at(-1);
    if (end === undefined || events.length < LIMITS.pageMax) return;
    last = end.seq;
  }
}

import type { Engine, News } from '../../engine/engine.ts';
import type { Event } from '../../protocol/event.ts';
import type { WaitingPermission } from '../../protocol/http.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { mayReach } from '../auth/access.ts';
import { mayActAs } from '../auth/roles.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Log } from '../log.ts';
import type { PushStore, Subscriber } from './push-store.ts';
import { newsOfEvent, newsOfRequest, type PushNews } from './push-words.ts';
import { isQuiet } from './quiet.ts';
import type { Send } from './send.ts';

interface AnnounceParts {
  readonly engine: Engine;
  readonly tokens: Pick<Tokens, 'claimed'>;
  readonly log: Log;
  readonly now: () => number;
}

/** Follows what happens and tells those who want to hear of it, also of what came to wait while no server lived. Returns the way out. */
export function announcer(parts: AnnounceParts, store: PushStore, send: Send): () => void {
  const { engine, log } = parts;
  const titles = new Map<string, string>();
  engine.agents().then(
    (agents) => {
      for (const { id, title } of agents) titles.set(id, title);
    },
    // Then its id is told, which people know as well.
    () => undefined,
  );
  const tell = (session: Session, news: PushNews): void => {
    for (const [personId, subscriber] of Object.entries(store.now().people)) {
      const message = messageFor(parts, personId, subscriber, session, news);
      if (message === undefined) continue;
      const hash = parts.tokens.claimed(subscriber.name)?.hash;
      for (const device of subscriber.devices.filter(({ by }) => by === hash)) {
        send(personId, device, message).catch((error: unknown) => log.error({ error }, 'what a push service said could not be kept'));
      }
    }
  };
  const tellRequests = (requests: readonly WaitingPermission[]): void => {
    for (const request of untold(store, requests)) {
      // One that cannot be put into words must cost nobody else theirs.
      try {
        const session = engine.session(request.sessionId);
        if (session !== undefined) tell(session, newsOfRequest(request, titles.get(request.agent) ?? request.agent));
      } catch (error) {
        log.error({ error }, 'a request could not be told');
      }
    }
    remember(store, engine.permissions()).catch((error: unknown) => log.error({ error }, 'who was told of what could not be kept'));
  };
  const isAnybodyThere = (): boolean => Object.values(store.now().people).some(({ devices }) => devices.length > 0);
  if (isAnybodyThere()) tellRequests(engine.permissions());
  return engine.watch('*', (news: News) => {
    if (news.kind !== 'events' || !isAnybodyThere()) return;
    // What a rule has answered in the same breath waits for nobody.
    if (news.events.some(({ type }) => type === 'permission.requested' || type === 'permission.resolved')) tellRequests(engine.permissions());
    for (const event of news.events) tellEvent(engine, news.sessionId, event, tell);
  });
}

function tellEvent(engine: Engine, sessionId: SessionId, event: Event, tell: (session: Session, news: PushNews) => void): void {
  const session = engine.session(sessionId);
  const news = session && newsOfEvent(event, session);
  if (session !== undefined && news !== undefined) tell(session, news);
}

const untold = (store: PushStore, requests: readonly WaitingPermission[]): readonly WaitingPermission[] => {
  const told = new Set(store.now().told);
  return requests.filter(({ requestId }) => !told.has(requestId));
};

/** Only what still waits is remembered, so that this never grows. */
async function remember(store: PushStore, waiting: readonly WaitingPermission[]): Promise<void> {
  const told = waiting.map(({ requestId }) => requestId);
  if (told.join() !== store.now().told.join()) await store.change((stored) => ({ ...stored, told }));
}

/** The message as this person may have it; undefined when they do not want it, or may not. */
function messageFor({ tokens, now }: AnnounceParts, personId: string, { name, settings }: Subscriber, session: Session, { about, message }: PushNews) {
  const identity = tokens.claimed(name);
  if (identity?.id !== personId || !mayReach(session, identity)) return undefined;
  const isMine = session.ownerId === undefined || session.ownerId === personId;
  if (!settings[about] || settings.muted.includes(session.id) || (settings.of === 'mine' && !isMine) || isQuiet(settings.quiet, now())) return undefined;
  const { requestId, ...plain } = message;
  return requestId !== undefined && mayActAs(identity.role, 'driver') ? message : plain;
}

import type { Engine, News } from '../../engine/engine.ts';
import type { Event } from '../../protocol/event.ts';
import type { WaitingPermission } from '../../protocol/http.ts';
import { isInternal, type SessionId } from '../../protocol/ids.ts';
import type { Session } from '../../protocol/session.ts';
import { mayReach } from '../auth/access.ts';
import { mayActAs } from '../auth/roles.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Log } from '../shared/log.ts';
import type { PushStore, Subscriber } from './push-store.ts';
import { newsOfEvent, newsOfRequest, type PushNews } from './push-text.ts';
import { isQuiet } from './quiet.ts';
import type { Send } from './send.ts';

interface NotifierParts {
  readonly engine: Engine;
  readonly tokens: Pick<Tokens, 'claimed'>;
  readonly log: Log;
  readonly now: () => number;
}

/** Notifies subscribers about what happens, including requests that came while no server was running. Returns a function that stops it. */
export function startNotifier(parts: NotifierParts, store: PushStore, send: Send): () => void {
  const { engine, log } = parts;
  const titles = new Map<string, string>();
  engine.agents().then(
    (agents) => {
      for (const { id, title } of agents) titles.set(id, title);
    },
    // Without titles, messages show the agent's id.
    () => undefined,
  );
  const notify = (session: Session, news: PushNews): void => {
    for (const [personId, subscriber] of Object.entries(store.now().people)) {
      const message = messageFor(parts, personId, subscriber, session, news);
      if (message === undefined) continue;
      const hash = parts.tokens.claimed(subscriber.name)?.hash;
      for (const device of subscriber.devices.filter(({ by }) => by === hash)) {
        send(personId, device, message).catch((error: unknown) => log.error({ error }, 'could not store the answer of a push service'));
      }
    }
  };
  const notifyOfRequests = (requests: readonly WaitingPermission[]): void => {
    for (const request of notYetSent(store, requests)) {
      // One request that can't be described must not block the others.
      try {
        const session = engine.session(request.sessionId);
        if (session !== undefined) notify(session, newsOfRequest(request, titles.get(request.agent) ?? request.agent));
      } catch (error) {
        log.error({ error }, 'could not send a notification for a request');
      }
    }
    remember(store, engine.permissions()).catch((error: unknown) => log.error({ error }, 'could not store which notifications were sent'));
  };
  const hasDevices = (): boolean => Object.values(store.now().people).some(({ devices }) => devices.length > 0);
  if (hasDevices()) notifyOfRequests(engine.permissions());
  return engine.watch('*', (news: News) => {
    if (news.kind !== 'events' || !hasDevices() || isInternal(news.sessionId)) return;
    // Reads what is pending now: a request that a rule answered in the same commit is already gone.
    if (news.events.some(({ type }) => type === 'permission.requested' || type === 'permission.resolved')) notifyOfRequests(engine.permissions());
    for (const event of news.events) notifyOfEvent(engine, news.sessionId, event, notify);
  });
}

function notifyOfEvent(engine: Engine, sessionId: SessionId, event: Event, notify: (session: Session, news: PushNews) => void): void {
  const session = engine.session(sessionId);
  const news = session && newsOfEvent(event, session);
  if (session !== undefined && news !== undefined) notify(session, news);
}

const notYetSent = (store: PushStore, requests: readonly WaitingPermission[]): readonly WaitingPermission[] => {
  const sent = new Set(store.now().told);
  return requests.filter(({ requestId }) => !sent.has(requestId));
};

/** Stores only requests that are still pending, so the list never grows. */
async function remember(store: PushStore, waiting: readonly WaitingPermission[]): Promise<void> {
  const pending = waiting.map(({ requestId }) => requestId);
  if (pending.join() !== store.now().told.join()) await store.change((stored) => ({ ...stored, told: pending }));
}

/** The message for this person; undefined when they don't want it or can't see the session. */
function messageFor({ tokens, now }: NotifierParts, personId: string, { name, settings }: Subscriber, session: Session, { about, message }: PushNews) {
  const identity = tokens.claimed(name);
  if (identity?.id !== personId || !mayReach(session, identity)) return undefined;
  const isMine = session.ownerId === undefined || session.ownerId === personId;
  if (!settings[about] || settings.muted.includes(session.id) || (settings.of === 'mine' && !isMine) || isQuiet(settings.quiet, now())) return undefined;
  const { requestId, ...plain } = message;
  return requestId !== undefined && mayActAs(identity.role, 'driver') ? message : plain;
}

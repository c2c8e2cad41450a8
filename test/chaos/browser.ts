import { WebSocket as NodeWebSocket } from 'ws';
import type { Event } from '../../src/protocol/event.ts';
import type { Api } from '../../web/client/http/api.ts';
import { personApi } from '../../web/client/http/person-api.ts';
import { sessionApi } from '../../web/client/http/session-api.ts';
import { sessionListApi } from '../../web/client/http/session-list-api.ts';
import { memoryOutbox } from '../../web/client/storage/outbox.ts';
import { type Cockpit, openCockpit } from '../../web/store/cockpit.ts';
import { api } from '../support/client.ts';
import type { TestServer } from '../support/real-server.ts';

/** The page's own store and socket, in this process, behind a connection that can be cut. */
export interface Browser {
  readonly cockpit: Cockpit;
  /** Sends a message like a person would and returns the command's id. */
  send(sessionId: string, text: string): string;
  answer(requestId: string, sessionId: string, behavior: 'allow' | 'deny'): void;
  /** The longest text in progress that the page showed for each item. */
  readonly shown: ReadonlyMap<string, string>;
  /** The events of a session that the page has. */
  events(sessionId: string): readonly Event[];
  close(): void;
}

export async function openBrowser(server: TestServer, port: number, name: string): Promise<Browser> {
  let count = 0;
  const newId = (): string => `${name}-${++count}`;
  const cockpit = await openCockpit({
    socketUrl: `ws://127.0.0.1:${port}/ws`,
    api: apiOf(server),
    outbox: memoryOutbox(),
    drafts: { get: () => '', set: () => undefined },
    schedule: (draw) => void setImmediate(draw),
    newId,
    now: Date.now,
    WebSocket: withToken(server.token),
  });
  const shown = new Map<string, string>();
  cockpit.store.subscribe((state) => {
    for (const { transcript } of state.open.values()) for (const item of transcript.live.values()) remember(shown, item);
  });
  return {
    cockpit,
    shown,
    send: (sessionId, text) => {
      void cockpit.sendInput(sessionId, text);
      return `${name}-${count}`;
    },
    answer: (requestId, sessionId, behavior) => void cockpit.answer({ requestId, sessionId, behavior }),
    events: (sessionId) => cockpit.store.getState().open.get(sessionId)?.transcript.events ?? [],
    close: () => cockpit.close(),
  };
}

function remember(shown: Map<string, string>, item: object): void {
  if (!('key' in item && 'text' in item && typeof item.key === 'string' && typeof item.text === 'string')) return;
  if (item.text.length > (shown.get(item.key)?.length ?? 0)) shown.set(item.key, item.text);
}

/** A page authenticates with its cookie; this program uses its token. */
function withToken(token: string): typeof WebSocket {
  class AuthorizedSocket extends NodeWebSocket {
    constructor(url: string) {
      super(url, { headers: { authorization: `Bearer ${token}` } });
      // A socket that is cut emits an error before it closes; the page handles the close.
      this.on('error', () => undefined);
    }
  }
  return AuthorizedSocket as unknown as typeof WebSocket;
}

const notUsed = (): never => {
  throw new Error('this part of the API is not used here');
};

/** The few requests that the page makes over HTTP. */
const apiOf = (server: TestServer): Api => ({
  ...sessionApi(notUsed),
  ...sessionListApi(notUsed),
  ...personApi(notUsed),
  eventsBefore: async (id, before, limit) =>
    (await api<{ events: Event[] }>(server, 'GET', `/api/sessions/${id}/events?before=${before}&limit=${limit}`)).body.events,
  eventsAfter: async (id, after, limit) =>
    (await api<{ events: Event[] }>(server, 'GET', `/api/sessions/${id}/events?after=${after}&limit=${limit}`)).body.events,
  me: notUsed,
  proposals: notUsed,
  isSignedIn: async () => true,
  agents: async () => [],
  folders: notUsed,
  createSession: notUsed,
  stop: notUsed,
});

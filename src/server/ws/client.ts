import type { Engine } from '../../engine/engine.ts';
import type { SessionIndex } from '../../index/session-index.ts';
import type { ServerFrame } from '../../protocol/frame.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Identity } from '../auth/tokens.ts';
import { EVENT_BOUND_BYTES, type SocketWriter } from './socket-writer.ts';
import { isFull, type Subscription, sendResubscribe } from './subscription.ts';
import { type WireFrame, wireFrame } from './wire-frame.ts';

/** One open socket and what it watches. */
export interface Client {
  readonly writer: SocketWriter;
  identity: Identity;
  /** The browser's sign-in; undefined for other programs. */
  readonly signIn: string | undefined;
  /** Channel and address, for the audit log. */
  readonly from: string;
  /** The engine, limited to what this client may use. */
  readonly engine: Engine;
  /** Past sessions, limited to what this client may see. */
  readonly sessionIndex: SessionIndex;
  readonly subscriptions: Map<SessionId, Subscription>;
  /** Whether the client watches the session list, and whether it missed an update. */
  list: 'off' | 'live' | 'stale';
  /** Subscriptions that the client must renew once it has caught up. */
  readonly behind: Set<Subscription>;
  commandsInFlight: number;
  /** Bytes sent and received, and whether the client answered, at the last heartbeat. */
  beat: { answered: boolean; sentBytes: number; receivedBytes: number };
  close(code: number, reason: string): void;
  ping(): void;
}

/** Answers (acks, refusals, pongs) can't be dropped. A client that lets even those pile up is disconnected; it gets everything again when it reconnects. */
export function send(client: Client, frame: ServerFrame) {
  const bytes = wireFrame(frame);
  if (isFull(client.writer, bytes, EVENT_BOUND_BYTES)) return client.writer.cut();
  client.writer.write(bytes);
}

/** Sends a frame to a list subscriber. A client that is full gets no more list updates until it has caught up; then it gets the whole list. */
export function postToList(client: Client, frame: WireFrame) {
  if (client.list !== 'live') return;
  if (isFull(client.writer, frame, EVENT_BOUND_BYTES)) client.list = 'stale';
  else client.writer.write(frame);
}

/** The client has caught up: send what it missed. */
export function sendMissed(client: Client, sendList: (client: Client) => void) {
  for (const subscription of client.behind) {
    if (client.subscriptions.get(subscription.sessionId) === subscription) sendResubscribe(subscription);
  }
  client.behind.clear();
  if (client.list !== 'stale') return;
  sendList(client);
}

import type { Engine } from '../../engine/engine.ts';
import type { Library } from '../../index/session-index.ts';
import type { ServerFrame } from '../../protocol/frame.ts';
import type { SessionId } from '../../protocol/ids.ts';
import type { Identity } from '../auth/tokens.ts';
import { EVENT_BOUND_BYTES, type Pipe } from './socket-writer.ts';
import { isFull, type Subscription, tellToResubscribe } from './subscription.ts';
import { wireFrame } from './wire-frame.ts';

/** One open socket and what it watches. */
export interface Client {
  readonly pipe: Pipe;
  identity: Identity;
  /** The sign-in of the browser, when it is one. */
  readonly signIn: string | undefined;
  /** The door and the address, for the audit. */
  readonly from: string;
  /** The engine as this one may use it. */
  readonly engine: Engine;
  /** Past sessions as this one may see them. */
  readonly library: Library;
  readonly subscriptions: Map<SessionId, Subscription>;
  /** Whether it watches the list of all sessions, and whether it missed something of it. */
  list: 'off' | 'live' | 'stale';
  /** Subscriptions that must be asked for again once the client has caught up. */
  readonly behind: Set<Subscription>;
  commandsInFlight: number;
  /** What it had taken and given, and whether it had answered, at the last beat of the heart. */
  beat: { answered: boolean; takenBytes: number; givenBytes: number };
  close(code: number, reason: string): void;
  ping(): void;
}

/** Answers (acks, refusals, pongs) may not be dropped: whoever lets even those pile up is cut off, and finds all of it again when it comes back. */
export function tell(client: Client, frame: ServerFrame) {
  const bytes = wireFrame(frame);
  if (isFull(client.pipe, bytes, EVENT_BOUND_BYTES)) return client.pipe.cut();
  client.pipe.write(bytes);
}

/** The client has taken everything: now it can be told what it missed. */
export function caughtUp(client: Client, tellList: (client: Client) => void) {
  for (const subscription of client.behind) {
    if (client.subscriptions.get(subscription.sessionId) === subscription) tellToResubscribe(subscription);
  }
  client.behind.clear();
  if (client.list !== 'stale') return;
  tellList(client);
}

import type { ClientFrame, ServerFrame, You } from '../../../src/protocol/frame.ts';
import type { OutboxEntry } from '../storage/outbox.ts';

/** The state of the one socket. Each phase has only what is true in it. */
export type Phase =
  | { readonly name: 'waiting'; readonly retryAt: number }
  | { readonly name: 'connecting'; readonly since: number }
  | { readonly name: 'open'; readonly serverId: string; readonly receivedAt: number; readonly pingedAt: number }
  | { readonly name: 'stopped'; readonly why: 'unauthorised' | 'revision' | 'closed' };

export interface Subscription {
  /** The last event that this page has; unset before the first snapshot. */
  readonly after?: number;
  /** Until the snapshot arrives, events and deltas are dropped: it contains them. */
  readonly awaitsSnapshot: boolean;
}

export interface Link {
  readonly phase: Phase;
  /** Failed connection attempts in a row. */
  readonly attempt: number;
  readonly subscriptions: ReadonlyMap<string, Subscription>;
  /** Sent and not yet durable, in sending order. */
  readonly unacknowledged: ReadonlyMap<string, OutboxEntry>;
  /** Sessions with messages that wait because the session's machine is away. */
  readonly held: ReadonlySet<string>;
  /** Entries of other users, or of a user not confirmed yet: neither sent nor shown. */
  readonly ofOthers: ReadonlyMap<string, OutboxEntry>;
  /** Who is signed in, from the last welcome. */
  readonly you?: You;
  /** Who last used this browser. */
  readonly lastKnown?: string;
}

export type LinkInput =
  | { readonly kind: 'start' }
  /** `key`: this browser's sign-in. */
  | { readonly kind: 'opened'; readonly key?: string | undefined }
  | { readonly kind: 'frame'; readonly frame: ServerFrame }
  | { readonly kind: 'received' }
  | { readonly kind: 'closed'; readonly code: number }
  /** `isDraining`: the socket sent bytes since the last tick and has more to send. */
  | { readonly kind: 'tick'; readonly isDraining?: boolean }
  /** The network is back, or the page is visible again. */
  | { readonly kind: 'nudge' }
  | { readonly kind: 'unauthorised' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'subscribe'; readonly sessionId: string; readonly after?: number }
  | { readonly kind: 'unsubscribe'; readonly sessionId: string }
  /** Text is missing: request the snapshot again. */
  | { readonly kind: 'resubscribe'; readonly sessionId: string }
  | { readonly kind: 'send'; readonly entry: OutboxEntry }
  /** Only useful now (an interrupt): never stored. */
  | { readonly kind: 'say'; readonly frame: ClientFrame };

export type Effect =
  | { readonly kind: 'connect' }
  | { readonly kind: 'disconnect'; readonly reason: string }
  | { readonly kind: 'transmit'; readonly frame: ClientFrame }
  | { readonly kind: 'deliver'; readonly frame: ServerFrame }
  | { readonly kind: 'settled'; readonly entry: OutboxEntry; readonly frame: SettlingFrame }
  /** A different user than before; `author` made what the page has so far. */
  | { readonly kind: 'signedIn'; readonly you: You; readonly author?: string }
  /** Its author is known only now. */
  | { readonly kind: 'keep'; readonly entry: OutboxEntry }
  /** Its author is unknown, so it is never sent. */
  | { readonly kind: 'unattributed'; readonly entry: OutboxEntry }
  /** A socket that never opened may mean that we aren't signed in: only HTTP can tell. */
  | { readonly kind: 'probe' };

export type SettlingFrame = Extract<ServerFrame, { type: 'ack' | 'refused' }>;

export interface Step {
  readonly link: Link;
  readonly effects: readonly Effect[];
}

/** Limit for opening the socket and receiving the welcome. */
export const CONNECT_LIMIT_MS = 10_000;
export const PING_EVERY_MS = 15_000;
/** A socket silent for this long is dead, whatever the operating system says. */
export const SILENCE_LIMIT_MS = 25_000;
/** After a nudge an answer must come soon: phones keep dead sockets open. */
export const NUDGE_LIMIT_MS = 4_000;

export const newLink = (stored: readonly OutboxEntry[] = [], lastKnown?: string): Link => ({
  phase: { name: 'waiting', retryAt: 0 },
  attempt: 0,
  subscriptions: new Map(),
  unacknowledged: new Map(),
  held: new Set(),
  ofOthers: byCommand(stored),
  ...(lastKnown !== undefined && { lastKnown }),
});

export const byCommand = (entries: readonly OutboxEntry[]): ReadonlyMap<string, OutboxEntry> => new Map(entries.map((entry) => [entry.commandId, entry]));

/** The author of what this page sends; before the first welcome, the last user of this browser. */
export const authorOf = (link: Link): string | undefined => link.you?.id ?? link.lastKnown;

/** When the link needs a `tick`, if at all. */
export function wakeAt(link: Link): number | undefined {
  switch (link.phase.name) {
    case 'waiting':
      return link.phase.retryAt;
    case 'connecting':
      return link.phase.since + CONNECT_LIMIT_MS;
    case 'open':
      return Math.min(link.phase.pingedAt + PING_EVERY_MS, link.phase.receivedAt + SILENCE_LIMIT_MS);
    case 'stopped':
      return undefined;
  }
}

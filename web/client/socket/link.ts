import type { ClientFrame, ServerFrame, You } from '../../../src/protocol/frame.ts';
import type { OutboxEntry } from '../storage/outbox.ts';

/** The state of the one socket. Each phase has only what is true in it. */
export type Phase =
  | { readonly name: 'waiting'; readonly retryAt: number }
  | { readonly name: 'connecting'; readonly since: number }
  | { readonly name: 'open'; readonly serverId: string; readonly heardAt: number; readonly pingedAt: number }
  | { readonly name: 'stopped'; readonly why: 'unauthorised' | 'revision' | 'closed' };

export interface Subscription {
  /** The last event this page has; unset before the first snapshot. */
  readonly after?: number;
  /** Until the snapshot comes, events and deltas are not passed on: it will bring them. */
  readonly awaitsSnapshot: boolean;
}

export interface Link {
  readonly phase: Phase;
  /** How often connecting failed in a row. */
  readonly attempt: number;
  readonly subscriptions: ReadonlyMap<string, Subscription>;
  /** Sent and not yet durable, in the order of sending. */
  readonly unacknowledged: ReadonlyMap<string, OutboxEntry>;
  /** Of other people, or of those who are not confirmed yet: neither sent nor shown. */
  readonly heldBack: ReadonlyMap<string, OutboxEntry>;
  /** Who we are, as the last welcome said. */
  readonly you?: You;
  /** Who was here before this page, as far as the browser knows. */
  readonly lastKnown?: string;
}

export type LinkInput =
  | { readonly kind: 'start' }
  /** `key`: of this browser's sign-in. */
  | { readonly kind: 'opened'; readonly key?: string | undefined }
  | { readonly kind: 'frame'; readonly frame: ServerFrame }
  | { readonly kind: 'heard' }
  | { readonly kind: 'closed'; readonly code: number }
  /** `isDraining`: the socket took bytes since the last tick and has more to take. */
  | { readonly kind: 'tick'; readonly isDraining?: boolean }
  /** The network came back, or a person looks at the page again. */
  | { readonly kind: 'nudge' }
  | { readonly kind: 'unauthorised' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'subscribe'; readonly sessionId: string; readonly after?: number }
  | { readonly kind: 'unsubscribe'; readonly sessionId: string }
  /** Text was missed: ask for the snapshot again. */
  | { readonly kind: 'resubscribe'; readonly sessionId: string }
  | { readonly kind: 'send'; readonly entry: OutboxEntry }
  /** Only worth something now (an interrupt): never kept for later. */
  | { readonly kind: 'say'; readonly frame: ClientFrame };

export type Effect =
  | { readonly kind: 'connect' }
  | { readonly kind: 'disconnect'; readonly reason: string }
  | { readonly kind: 'transmit'; readonly frame: ClientFrame }
  | { readonly kind: 'deliver'; readonly frame: ServerFrame }
  | { readonly kind: 'settled'; readonly entry: OutboxEntry; readonly frame: SettlingFrame }
  /** Somebody else than before is here now; `author` made what the page holds so far. */
  | { readonly kind: 'seated'; readonly you: You; readonly author?: string }
  /** Its maker is known only now. */
  | { readonly kind: 'keep'; readonly entry: OutboxEntry }
  /** Nobody knows whose it is, so it is never sent. */
  | { readonly kind: 'disowned'; readonly entry: OutboxEntry }
  /** A socket that never opened may mean that we are not signed in: only HTTP can tell. */
  | { readonly kind: 'probe' };

export type SettlingFrame = Extract<ServerFrame, { type: 'ack' | 'refused' }>;

export interface Step {
  readonly link: Link;
  readonly effects: readonly Effect[];
}

/** A socket must open and greet within this. */
export const CONNECT_LIMIT_MS = 10_000;
export const PING_EVERY_MS = 15_000;
/** A socket that says nothing for so long is dead, whatever the operating system believes. */
export const SILENCE_LIMIT_MS = 25_000;
/** After a nudge an answer must come soon: phones keep sockets that died in the pocket. */
export const NUDGE_LIMIT_MS = 4_000;

export const newLink = (kept: readonly OutboxEntry[] = [], lastKnown?: string): Link => ({
  phase: { name: 'waiting', retryAt: 0 },
  attempt: 0,
  subscriptions: new Map(),
  unacknowledged: new Map(),
  heldBack: byCommand(kept),
  ...(lastKnown !== undefined && { lastKnown }),
});

export const byCommand = (entries: readonly OutboxEntry[]): ReadonlyMap<string, OutboxEntry> => new Map(entries.map((entry) => [entry.commandId, entry]));

/** Whose is what this page sends now; before the first welcome, that of whoever was here last. */
export const authorOf = (link: Link): string | undefined => link.you?.id ?? link.lastKnown;

/** When the link wants a `tick`, if at all. */
export function wakeAt(link: Link): number | undefined {
  switch (link.phase.name) {
    case 'waiting':
      return link.phase.retryAt;
    case 'connecting':
      return link.phase.since + CONNECT_LIMIT_MS;
    case 'open':
      return Math.min(link.phase.pingedAt + PING_EVERY_MS, link.phase.heardAt + SILENCE_LIMIT_MS);
    case 'stopped':
      return undefined;
  }
}

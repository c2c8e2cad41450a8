import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { DELTA_BOUND_BYTES, EVENT_BOUND_BYTES, type SocketWriter } from './socket-writer.ts';
import { type WireFrame, wireFrame } from './wire-frame.ts';

/**
 * One client's view of one session. `live` gets everything; `events-only` was too slow for text in progress; `paused`
 * was too slow for events. The last two end when the client subscribes again, which the server asks for once the queue is drained.
 */
export interface Subscription {
  readonly sessionId: SessionId;
  readonly writer: SocketWriter;
  state: 'live' | 'events-only' | 'paused';
  lastSeq: number;
}

/** Sends the events this client doesn't have yet; false when the client had to be paused. */
export function sendEvents(subscription: Subscription, events: readonly Event[], frames: readonly WireFrame[]): boolean {
  if (subscription.state === 'paused') return true;
  for (const [index, event] of events.entries()) {
    const frame = frames[index];
    if (event.seq <= subscription.lastSeq || frame === undefined) continue;
    // Never leave a gap: have the client subscribe again instead.
    if (event.seq !== subscription.lastSeq + 1 || isFull(subscription.writer, frame, EVENT_BOUND_BYTES)) return pause(subscription);
    subscription.writer.write(frame);
    subscription.lastSeq = event.seq;
  }
  return true;
}

/** Sends text in progress; false when the client is too slow for it. */
export function sendDeltas(subscription: Subscription, frames: readonly WireFrame[]): boolean {
  if (subscription.state !== 'live') return true;
  for (const frame of frames) {
    if (isFull(subscription.writer, frame, DELTA_BOUND_BYTES)) {
      subscription.state = 'events-only';
      return false;
    }
    subscription.writer.write(frame);
  }
  return true;
}

/** Sends the session's new state. What a slow client misses comes with its next snapshot. */
export function sendStatus(subscription: Subscription, frame: WireFrame): boolean {
  if (subscription.state === 'paused') return true;
  if (isFull(subscription.writer, frame, EVENT_BOUND_BYTES)) return pause(subscription);
  subscription.writer.write(frame);
  return true;
}

/** Call when the client has taken everything queued for it. */
export function sendResubscribe(subscription: Subscription): void {
  if (subscription.state !== 'live') subscription.writer.write(wireFrame({ type: 'resubscribe', sessionId: subscription.sessionId }));
}

export const isFull = (writer: SocketWriter, frame: WireFrame, bound: number): boolean => {
  const queued = writer.queuedBytes();
  return queued > 0 && queued + frame.length > bound;
};

function pause(subscription: Subscription): false {
  subscription.state = 'paused';
  return false;
}

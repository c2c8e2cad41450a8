import type { Event } from '../../protocol/event.ts';
import type { SessionId } from '../../protocol/ids.ts';
import { DELTA_BOUND_BYTES, EVENT_BOUND_BYTES, type Pipe } from './socket-writer.ts';
import { type WireFrame, wireFrame } from './wire-frame.ts';

/**
 * One client's view of one session. `live` gets everything; `events-only` was too slow for text in progress; `held`
 * was too slow for events. The last two end when the client subscribes again, which it is told to do once drained.
 */
export interface Subscription {
  readonly sessionId: SessionId;
  readonly pipe: Pipe;
  state: 'live' | 'events-only' | 'held';
  lastSeq: number;
}

/** Gives the events that this client has not had yet; false when it had to be held back. */
export function giveEvents(subscription: Subscription, events: readonly Event[], frames: readonly WireFrame[]): boolean {
  if (subscription.state === 'held') return true;
  for (const [index, event] of events.entries()) {
    const frame = frames[index];
    if (event.seq <= subscription.lastSeq || frame === undefined) continue;
    // A hole here would be a lie: rather have the client ask again.
    if (event.seq !== subscription.lastSeq + 1 || isFull(subscription.pipe, frame, EVENT_BOUND_BYTES)) return hold(subscription);
    subscription.pipe.write(frame);
    subscription.lastSeq = event.seq;
  }
  return true;
}

/** Gives text in progress; false when the client was too slow for it. */
export function giveDeltas(subscription: Subscription, frames: readonly WireFrame[]): boolean {
  if (subscription.state !== 'live') return true;
  for (const frame of frames) {
    if (isFull(subscription.pipe, frame, DELTA_BOUND_BYTES)) {
      subscription.state = 'events-only';
      return false;
    }
    subscription.pipe.write(frame);
  }
  return true;
}

/** Gives the session's new state; what a slow client misses of it comes with its next snapshot. */
export function giveStatus(subscription: Subscription, frame: WireFrame): boolean {
  if (subscription.state === 'held') return true;
  if (isFull(subscription.pipe, frame, EVENT_BOUND_BYTES)) return hold(subscription);
  subscription.pipe.write(frame);
  return true;
}

/** To be called when the client has taken all that waited for it. */
export function tellToResubscribe(subscription: Subscription): void {
  if (subscription.state !== 'live') subscription.pipe.write(wireFrame({ type: 'resubscribe', sessionId: subscription.sessionId }));
}

export const isFull = (pipe: Pipe, frame: WireFrame, bound: number): boolean => {
  const queued = pipe.queuedBytes();
  return queued > 0 && queued + frame.length > bound;
};

function hold(subscription: Subscription): false {
  subscription.state = 'held';
  return false;
}

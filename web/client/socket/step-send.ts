import type { ClientFrame } from '../../../src/protocol/frame.ts';
import { SessionId } from '../../../src/protocol/ids.ts';
import type { OutboxEntry } from '../storage/outbox.ts';
import { authorOf, type Effect, type Link, type Step, type Subscription } from './link.ts';

export function subscribe(link: Link, sessionId: string, after: number | undefined): Step {
  if (link.subscriptions.has(sessionId)) return { link, effects: [] };
  const next = withSubscription(link, sessionId, { awaitsSnapshot: true, ...(after === undefined ? {} : { after }) });
  return { link: next, effects: whenOpen(link, [subscribeFrame(sessionId, after)]) };
}

export function unsubscribe(link: Link, sessionId: string): Step {
  if (!link.subscriptions.has(sessionId)) return { link, effects: [] };
  const subscriptions = new Map(link.subscriptions);
  subscriptions.delete(sessionId);
  return { link: { ...link, subscriptions }, effects: whenOpen(link, [{ type: 'unsubscribe', sessionId: subscribableId(sessionId) }]) };
}

/** Requests the events after our last one and the text in progress. Requested once, however often the gap is noticed. */
export function resubscribe(link: Link, sessionId: string): Step {
  const known = link.subscriptions.get(sessionId);
  if (known === undefined || known.awaitsSnapshot) return { link, effects: [] };
  const next = withSubscription(link, sessionId, { ...known, awaitsSnapshot: true });
  return { link: next, effects: whenOpen(link, [subscribeFrame(sessionId, known.after)]) };
}

/** Kept until acknowledged; without a connection it is sent after the next welcome, under the same id. */
export function send(link: Link, made: OutboxEntry): Step {
  const author = authorOf(link);
  const isNew = made.by === undefined && author !== undefined;
  const entry = isNew ? { ...made, by: author } : made;
  // Someone else signed in while it was being stored.
  if (entry.by !== author) return { link: { ...link, ofOthers: new Map(link.ofOthers).set(entry.commandId, entry) }, effects: [] };
  const unacknowledged = new Map(link.unacknowledged).set(entry.commandId, entry);
  return { link: { ...link, unacknowledged }, effects: [...(isNew ? [{ kind: 'keep', entry } as const] : []), ...whenOpen(link, [entry.frame])] };
}

export const say = (link: Link, frame: ClientFrame): Step => ({ link, effects: whenOpen(link, [frame]) });

/** After a welcome: every subscription from its last event, then everything unacknowledged, oldest first. */
export function resume(link: Link): Step {
  const subscriptions = new Map([...link.subscriptions].map(([id, known]) => [id, { ...known, awaitsSnapshot: true }]));
  const frames = [
    ...[...subscriptions].map(([id, known]) => subscribeFrame(id, known.after)),
    ...[...link.unacknowledged.values()].map((entry) => entry.frame),
  ];
  return { link: { ...link, subscriptions }, effects: frames.map((frame) => ({ kind: 'transmit', frame })) };
}

export const withSubscription = (link: Link, sessionId: string, subscription: Subscription): Link => ({
  ...link,
  subscriptions: new Map(link.subscriptions).set(sessionId, subscription),
});

const whenOpen = (link: Link, frames: readonly ClientFrame[]): readonly Effect[] =>
  link.phase.name === 'open' ? frames.map((frame) => ({ kind: 'transmit', frame })) : [];

const subscribableId = (sessionId: string) => (sessionId === '*' ? '*' : SessionId.parse(sessionId));

function subscribeFrame(sessionId: string, after: number | undefined): ClientFrame {
  return { type: 'subscribe', sessionId: subscribableId(sessionId), ...(after === undefined ? {} : { after }) };
}

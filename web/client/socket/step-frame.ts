import type { ServerFrame, You } from '../../../src/protocol/frame.ts';
import { inOrder, type OutboxEntry } from '../storage/outbox.ts';
import { authorOf, byCommand, type Effect, type Link, type SettlingFrame, type Step } from './link.ts';
import { resubscribe, resume, withSubscription } from './step-send.ts';

type FrameOf<T extends ServerFrame['type']> = Extract<ServerFrame, { type: T }>;

/** Delivers frames that are in sequence, requests missing ones again. */
export function onFrame(link: Link, frame: ServerFrame, now: number): Step {
  switch (frame.type) {
    case 'welcome':
      return welcomed(link, frame, now);
    case 'snapshot':
    case 'plan':
      return snapshot(link, frame);
    case 'event':
      return event(link, frame);
    case 'delta':
    case 'delta.dropped':
      return link.subscriptions.get(frame.sessionId)?.awaitsSnapshot === false ? deliver(link, frame) : nothing(link);
    case 'resubscribe':
      return resubscribe(link, frame.sessionId);
    case 'ack':
      return settled(link, frame.commandId, frame);
    case 'refused':
      return isHeld(link, frame) ? hold(link, frame) : settled(link, frame.commandId, frame);
    case 'status':
      return and(deliver(link, frame), frame.session?.lastKnown === undefined ? release(link, frame.sessionId) : undefined);
    case 'machines':
    case 'plans':
    case 'sessions':
    case 'index':
    case 'activity':
    case 'waiting':
    case 'seen':
    case 'notice':
    case 'problems':
      return deliver(link, frame);
    case 'pong':
      return releaseAll(link);
  }
}

const nothing = (link: Link): Step => ({ link, effects: [] });
const deliver = (link: Link, frame: ServerFrame): Step => ({ link, effects: [{ kind: 'deliver', frame }] });

/** A server that doesn't say who we are is older than this page: nothing stored is sent, because it could be sent as another user. */
function welcomed(link: Link, frame: FrameOf<'welcome'>, now: number): Step {
  if (frame.you === undefined) return { link: { ...link, phase: { name: 'stopped', why: 'revision' } }, effects: [{ kind: 'disconnect', reason: 'older' }] };
  const signedIn = signIn(link, frame.you);
  const resumed = resume({ ...signedIn.link, attempt: 0, phase: { name: 'open', serverId: frame.serverId, receivedAt: now, pingedAt: now } });
  return { link: resumed.link, effects: [...signedIn.effects, { kind: 'deliver', frame }, ...resumed.effects] };
}

/** The server said who we are: this user's unsent entries go out, those of others stay until they sign in again. */
function signIn(link: Link, you: You): Step {
  if (link.you?.id === you.id) return { link: { ...link, you }, effects: [] };
  const author = authorOf(link);
  const made = [...link.unacknowledged.values()];
  // The first user of this browser: what this page made is theirs.
  const adopted = author === undefined ? made.map((entry) => ({ ...entry, by: you.id })) : [];
  const all = inOrder([...link.ofOthers.values(), ...(author === undefined ? adopted : made)]);
  const mine = all.filter(({ by }) => by === you.id);
  const others = all.filter(({ by }) => by !== undefined && by !== you.id);
  const next = { ...link, you, lastKnown: you.id, unacknowledged: byCommand(mine), ofOthers: byCommand(others) };
  return {
    link: next,
    effects: [{ kind: 'signedIn', you, ...(author !== undefined && { author }) }, ...adopted.map(keep), ...all.filter(hasNoAuthor).map(unattributed)],
  };
}

const hasNoAuthor = ({ by }: OutboxEntry): boolean => by === undefined;
const keep = (entry: OutboxEntry): Effect => ({ kind: 'keep', entry });
const unattributed = (entry: OutboxEntry): Effect => ({ kind: 'unattributed', entry });

function snapshot(link: Link, frame: FrameOf<'snapshot' | 'plan'>): Step {
  if (!link.subscriptions.has(frame.sessionId)) return nothing(link);
  const subscribed = withSubscription(link, frame.sessionId, { after: frame.seq, awaitsSnapshot: false });
  const isAway = frame.type === 'snapshot' && frame.session.lastKnown !== undefined;
  return and(deliver(subscribed, frame), isAway ? undefined : release(subscribed, frame.sessionId));
}

function event(link: Link, frame: FrameOf<'event'>): Step {
  const known = link.subscriptions.get(frame.sessionId);
  if (known === undefined || known.awaitsSnapshot) return nothing(link);
  const last = known.after ?? 0;
  if (frame.seq <= last) return nothing(link);
  if (frame.seq > last + 1) return resubscribe(link, frame.sessionId);
  return deliver(withSubscription(link, frame.sessionId, { after: frame.seq, awaitsSnapshot: false }), frame);
}

/** The session is on another machine that is away, or did not say whether it has the message: the message waits here and is sent again under the same id. */
const WAITS: ReadonlySet<string> = new Set(['owner-away', 'unknown-outcome']);

const isHeld = (link: Link, { code, commandId }: FrameOf<'refused'>): boolean =>
  WAITS.has(code) && commandId !== undefined && link.unacknowledged.get(commandId)?.frame.type === 'input';

function hold(link: Link, { commandId }: FrameOf<'refused'>): Step {
  const sessionId = commandId === undefined ? undefined : link.unacknowledged.get(commandId)?.sessionId;
  return sessionId === undefined ? nothing(link) : nothing({ ...link, held: new Set(link.held).add(sessionId) });
}

/** The session can be reached again: what waited for it goes out, in order. */
function release(link: Link, sessionId: string): Step {
  if (!link.held.has(sessionId)) return nothing(link);
  const held = new Set(link.held);
  held.delete(sessionId);
  const waiting = [...link.unacknowledged.values()].filter((entry) => entry.sessionId === sessionId && entry.frame.type === 'input');
  return { link: { ...link, held }, effects: inOrder(waiting).map(({ frame }) => ({ kind: 'transmit', frame })) };
}

/** Now and then everything that waits is tried again, in case nobody says that its machine is back. */
const releaseAll = (link: Link): Step => [...link.held].reduce<Step>((step, sessionId) => and(step, release(step.link, sessionId)), nothing(link));

const and = (first: Step, then: Step | undefined): Step => (then === undefined ? first : { link: then.link, effects: [...first.effects, ...then.effects] });

/** Durable or refused: either way there is nothing left to resend. */
function settled(link: Link, commandId: string | undefined, frame: SettlingFrame): Step {
  const entry = commandId === undefined ? undefined : link.unacknowledged.get(commandId);
  if (entry === undefined) return deliver(link, frame);
  const unacknowledged = new Map(link.unacknowledged);
  unacknowledged.delete(entry.commandId);
  return { link: { ...link, unacknowledged }, effects: [{ kind: 'settled', entry, frame }] };
}

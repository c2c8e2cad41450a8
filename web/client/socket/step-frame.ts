import type { ServerFrame } from '../../../src/protocol/frame.ts';
import type { Link, SettlingFrame, Step } from './link.ts';
import { resubscribe, resume, withSubscription } from './step-send.ts';
import { seat } from './step-signed-in.ts';

type FrameOf<T extends ServerFrame['type']> = Extract<ServerFrame, { type: T }>;

/** Lets through what is in order, asks again for what is not. */
export function onFrame(link: Link, frame: ServerFrame, now: number): Step {
  switch (frame.type) {
    case 'welcome':
      return welcomed(link, frame, now);
    case 'snapshot':
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
      return settled(link, frame.commandId, frame);
    case 'status':
    case 'sessions':
    case 'index':
    case 'activity':
    case 'notice':
    case 'problems':
      return deliver(link, frame);
    case 'pong':
      return nothing(link);
  }
}

const nothing = (link: Link): Step => ({ link, effects: [] });
const deliver = (link: Link, frame: ServerFrame): Step => ({ link, effects: [{ kind: 'deliver', frame }] });

/** A server that does not say who we are is older than this page: nothing kept may be sent to it, for it could go out as somebody else's. */
function welcomed(link: Link, frame: FrameOf<'welcome'>, now: number): Step {
  if (frame.you === undefined) return { link: { ...link, phase: { name: 'stopped', why: 'revision' } }, effects: [{ kind: 'disconnect', reason: 'older' }] };
  const seated = seat(link, frame.you);
  const resumed = resume({ ...seated.link, attempt: 0, phase: { name: 'open', serverId: frame.serverId, heardAt: now, pingedAt: now } });
  return { link: resumed.link, effects: [...seated.effects, { kind: 'deliver', frame }, ...resumed.effects] };
}

function snapshot(link: Link, frame: FrameOf<'snapshot'>): Step {
  if (!link.subscriptions.has(frame.sessionId)) return nothing(link);
  return deliver(withSubscription(link, frame.sessionId, { after: frame.seq, awaitsSnapshot: false }), frame);
}

function event(link: Link, frame: FrameOf<'event'>): Step {
  const known = link.subscriptions.get(frame.sessionId);
  if (known === undefined || known.awaitsSnapshot) return nothing(link);
  const last = known.after ?? 0;
  if (frame.seq <= last) return nothing(link);
  if (frame.seq > last + 1) return resubscribe(link, frame.sessionId);
  return deliver(withSubscription(link, frame.sessionId, { after: frame.seq, awaitsSnapshot: false }), frame);
}

/** Durable, or refused in words: in both cases there is nothing left to resend. */
function settled(link: Link, commandId: string | undefined, frame: SettlingFrame): Step {
  const entry = commandId === undefined ? undefined : link.unacknowledged.get(commandId);
  if (entry === undefined) return deliver(link, frame);
  const unacknowledged = new Map(link.unacknowledged);
  unacknowledged.delete(entry.commandId);
  return { link: { ...link, unacknowledged }, effects: [{ kind: 'settled', entry, frame }] };
}

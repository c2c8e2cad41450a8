import { CLOSE_CODES, FRAME_REVISION } from '../../../src/protocol/frame.ts';
import { CONNECT_LIMIT_MS, type Effect, type Link, type LinkInput, NUDGE_LIMIT_MS, PING_EVERY_MS, SILENCE_LIMIT_MS, type Step } from './link.ts';
import { onFrame } from './step-frame.ts';
import { resubscribe, say, send, subscribe, unsubscribe } from './step-send.ts';

export interface StepContext {
  readonly now: number;
  /** 0 to 1. */
  readonly random: number;
}

/** All of the socket's behavior: an input gives the next state and the effects to run. */
export function step(link: Link, input: LinkInput, chance: StepContext): Step {
  switch (input.kind) {
    case 'start':
    case 'nudge':
      return nudged(link, chance.now);
    case 'opened':
      return { link, effects: [{ kind: 'transmit', frame: { type: 'hello', v: FRAME_REVISION, ...(input.key !== undefined && { key: input.key }) } }] };
    case 'frame':
      return onFrame(markReceived(link, chance.now), input.frame, chance.now);
    case 'received':
      return { link: markReceived(link, chance.now), effects: [] };
    case 'closed':
      return closed(link, input.code, chance);
    case 'tick':
      return ticked(input.isDraining === true ? markReceived(link, chance.now) : link, chance);
    case 'unauthorised':
      return { link: { ...link, phase: { name: 'stopped', why: 'unauthorised' } }, effects: [{ kind: 'disconnect', reason: 'signed out' }] };
    case 'stop':
      return { link: { ...link, phase: { name: 'stopped', why: 'closed' } }, effects: [{ kind: 'disconnect', reason: 'the page closes' }] };
    case 'subscribe':
      return subscribe(link, input.sessionId, input.after);
    case 'unsubscribe':
      return unsubscribe(link, input.sessionId);
    case 'resubscribe':
      return resubscribe(link, input.sessionId);
    case 'send':
      return send(link, input.entry);
    case 'say':
      return say(link, input.frame);
  }
}

/** Connects at once if it was waiting, and pings an open socket. */
function nudged(link: Link, now: number): Step {
  if (link.phase.name === 'waiting') return connect(link, now);
  if (link.phase.name !== 'open') return { link, effects: [] };
  // The answer would queue behind images being uploaded: then only silence counts.
  const soon = isUploading(link) ? now : now - SILENCE_LIMIT_MS + NUDGE_LIMIT_MS;
  const receivedAt = Math.min(link.phase.receivedAt, soon);
  return { link: { ...link, phase: { ...link.phase, receivedAt, pingedAt: now } }, effects: [{ kind: 'transmit', frame: { type: 'ping' } }] };
}

const isUploading = (link: Link): boolean => [...link.unacknowledged.values()].some(({ frame }) => frame.type === 'input' && frame.images !== undefined);

function connect(link: Link, now: number): Step {
  return { link: { ...link, phase: { name: 'connecting', since: now } }, effects: [{ kind: 'connect' }] };
}

const markReceived = (link: Link, now: number): Link => (link.phase.name === 'open' ? { ...link, phase: { ...link.phase, receivedAt: now } } : link);

function closed(link: Link, code: number, chance: StepContext): Step {
  if (link.phase.name === 'stopped') return { link, effects: [] };
  if (code === CLOSE_CODES.revision) return { link: { ...link, phase: { name: 'stopped', why: 'revision' } }, effects: [] };
  if (code === CLOSE_CODES.unauthorised) return { link: { ...link, phase: { name: 'stopped', why: 'unauthorised' } }, effects: [] };
  const effects: Effect[] = link.phase.name === 'connecting' ? [{ kind: 'probe' }] : [];
  return { link: retryLater(link, chance), effects };
}

const retryLater = (link: Link, { now, random }: StepContext): Link => ({
  ...link,
  attempt: link.attempt + 1,
  phase: { name: 'waiting', retryAt: now + backoffMs(link.attempt, random) },
});

/** Short enough that a server restart is hardly noticed, long enough not to burden the server. */
const FIRST_MS = 400;
const MAX_MS = 15_000;

/** How long to wait before attempt number `attempt` (from 0). Half of it is random, so that many tabs don't reconnect at once. */
function backoffMs(attempt: number, random: number): number {
  const full = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(attempt, 10));
  return Math.round(full / 2 + (full / 2) * random);
}

function ticked(link: Link, chance: StepContext): Step {
  const { phase } = link;
  const { now } = chance;
  if (phase.name === 'waiting' && now >= phase.retryAt) return connect(link, now);
  if (phase.name === 'connecting' && now >= phase.since + CONNECT_LIMIT_MS) return giveUp(link, 'the server did not answer', chance);
  if (phase.name !== 'open') return { link, effects: [] };
  if (now >= phase.receivedAt + SILENCE_LIMIT_MS) return giveUp(link, 'the connection went silent', chance);
  if (now < phase.pingedAt + PING_EVERY_MS) return { link, effects: [] };
  return { link: { ...link, phase: { ...phase, pingedAt: now } }, effects: [{ kind: 'transmit', frame: { type: 'ping' } }] };
}

const giveUp = (link: Link, reason: string, chance: StepContext): Step => ({ link: retryLater(link, chance), effects: [{ kind: 'disconnect', reason }] });

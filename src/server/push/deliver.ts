import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { PushMessage, PushTarget } from '../../protocol/api/push.ts';
import { seal } from './seal.ts';
import type { Vapid } from './vapid.ts';

/** What a push service said: it has it, that browser is gone for good, or why not. */
export type Delivered = 'taken' | 'gone' | { readonly problem: string };

export type Deliver = (target: PushTarget, message: PushMessage) => Promise<Delivered>;

interface DeliverOptions {
  readonly vapid: Vapid;
  readonly now: () => number;
  /** Before the second and the third try, when the service does not say itself. */
  readonly pausesMs?: readonly number[];
}

const LIMIT_MS = 10_000;
const PAUSES_MS = [1000, 5000];
const LONGEST_PAUSE_MS = 30_000;
/** A browser that is off for longer learns it from the page. */
const KEPT_SECONDS = 24 * 60 * 60;

/** Sends one message, sealed; what is only busy is asked again. */
export const deliverer =
  ({ vapid, now, pausesMs = PAUSES_MS }: DeliverOptions): Deliver =>
  async (target, message) => {
    for (let tries = 0; ; tries++) {
      const { outcome, againMs } = await once(vapid, target, message, now());
      const pause = againMs ?? pausesMs[tries];
      if (outcome === 'taken' || outcome === 'gone' || againMs === undefined || pause === undefined || tries >= pausesMs.length) return outcome;
      await wait(Math.min(pause || (pausesMs[tries] ?? 0), LONGEST_PAUSE_MS), undefined, { ref: false });
    }
  };

async function once(vapid: Vapid, target: PushTarget, message: PushMessage, now: number): Promise<{ outcome: Delivered; againMs?: number }> {
  try {
    const response = await fetch(target.endpoint, {
      method: 'POST',
      // A push service does not send us elsewhere; whoever does, wants us to knock at doors inside.
      redirect: 'error',
      signal: AbortSignal.timeout(LIMIT_MS),
      headers: headersOf(vapid.authorization(target.endpoint, now), message),
      body: new Uint8Array(seal(JSON.stringify(message), target)),
    });
    await response.body?.cancel();
    return outcomeOf(response);
  } catch (error) {
    const why = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error);
    return { outcome: { problem: `Its push service could not be reached: ${why}` }, againMs: 0 };
  }
}

const headersOf = (authorization: string, message: PushMessage): Record<string, string> => ({
  authorization,
  ttl: String(KEPT_SECONDS),
  urgency: message.tag.startsWith('waiting') ? 'high' : 'normal',
  // While the browser is off, the later message takes the place of the earlier one.
  topic: createHash('sha256').update(message.tag).digest('base64url').slice(0, 32),
  'content-encoding': 'aes128gcm',
  'content-type': 'application/octet-stream',
});

function outcomeOf(response: Response): { outcome: Delivered; againMs?: number } {
  if (response.ok) return { outcome: 'taken' };
  if (response.status === 404 || response.status === 410) return { outcome: 'gone' };
  const outcome = { problem: `Its push service answered ${response.status}` };
  if (response.status !== 429 && response.status < 500) return { outcome };
  return { outcome, againMs: 1000 * Math.max(0, Number(response.headers.get('retry-after')) || 0) };
}

import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { PushMessage, PushTarget } from '../../protocol/api/outside/push.ts';
import { seal } from './seal.ts';
import type { Vapid } from './vapid.ts';

/** The result: accepted, the browser is gone for good, or why it failed. */
export type Delivered = 'taken' | 'gone' | { readonly problem: string };

export type Deliver = (target: PushTarget, message: PushMessage) => Promise<Delivered>;

interface DeliverOptions {
  readonly vapid: Vapid;
  readonly now: () => number;
  /** Pauses before the second and third try, unless the service sends Retry-After. */
  readonly pausesMs?: readonly number[];
}

const LIMIT_MS = 10_000;
const PAUSES_MS = [1000, 5000];
const LONGEST_PAUSE_MS = 30_000;
/** A browser that is off for longer sees it in the page. */
const KEPT_SECONDS = 24 * 60 * 60;

/** Sends one encrypted message; retries when the service is busy or can't be reached. */
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
      // Push services don't redirect. A redirect could be an attempt to make us call addresses inside the network.
      redirect: 'error',
      signal: AbortSignal.timeout(LIMIT_MS),
      headers: headersOf(vapid.authorization(target.endpoint, now), message),
      body: new Uint8Array(seal(JSON.stringify(message), target)),
    });
    await response.body?.cancel();
    return outcomeOf(response);
  } catch (error) {
    const why = error instanceof Error ? (error.cause instanceof Error ? error.cause.message : error.message) : String(error);
    return { outcome: { problem: `Can’t reach its push service: ${why}` }, againMs: 0 };
  }
}

const headersOf = (authorization: string, message: PushMessage): Record<string, string> => ({
  authorization,
  ttl: String(KEPT_SECONDS),
  urgency: message.tag.startsWith('waiting') ? 'high' : 'normal',
  // While the browser is off, a later message replaces an earlier one.
  topic: createHash('sha256').update(message.tag).digest('base64url').slice(0, 32),
  'content-encoding': 'aes128gcm',
  'content-type': 'application/octet-stream',
});

function outcomeOf(response: Response): { outcome: Delivered; againMs?: number } {
  if (response.ok) return { outcome: 'taken' };
  if (response.status === 404 || response.status === 410) return { outcome: 'gone' };
  const outcome = { problem: `Its push service answered with status ${response.status}` };
  if (response.status !== 429 && response.status < 500) return { outcome };
  return { outcome, againMs: 1000 * Math.max(0, Number(response.headers.get('retry-after')) || 0) };
}

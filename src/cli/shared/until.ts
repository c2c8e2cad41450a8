import { UsageProblem } from './command.ts';
import type { CliDeps } from './deps.ts';
import { type FeedListener, followEvents } from './event-feed.ts';
import type { ServerLink } from './server-link.ts';

interface UntilOptions {
  readonly link: ServerLink;
  readonly sessionId: string;
  readonly after: number;
  /** Without it, as long as it takes. */
  readonly timeoutMs?: number | undefined;
}

/** Follows a session until the listener calls `done`; `late` after the timeout, `stopped` at Ctrl-C. */
export async function until<T>(
  deps: CliDeps,
  { timeoutMs, ...feedOptions }: UntilOptions,
  listen: (done: (value: T) => void, fail: (error: unknown) => void) => FeedListener,
): Promise<T | 'late' | 'stopped'> {
  let timer: NodeJS.Timeout | undefined;
  let stopListening = (): void => {};
  let close = (): void => {};
  try {
    return await new Promise<T | 'late' | 'stopped'>((resolve, reject) => {
      const feed = followEvents({ ...feedOptions, on: listen(resolve, reject) });
      close = feed.close;
      feed.failed.catch(reject);
      stopListening = deps.onInterrupt(() => resolve('stopped'));
      if (timeoutMs !== undefined) timer = setTimeout(() => resolve('late'), timeoutMs);
    });
  } finally {
    clearTimeout(timer);
    stopListening();
    close();
  }
}

const UNITS = { '': 1000, s: 1000, m: 60_000, h: 3_600_000 } as const;
/** The longest wait that a timer can have. */
const LONGEST_MS = 2 ** 31 - 1;

/** `90`, `90s`, `5m` or `2h`. */
export function timeoutIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, amount, unit = ''] = /^(\d{1,9})([smh]?)$/.exec(text) ?? [];
  if (amount === undefined || !isUnit(unit)) throw new UsageProblem(`--timeout needs seconds, or a time such as 90s, 5m or 2h, not "${text}"`);
  return Math.min(Number(amount) * UNITS[unit], LONGEST_MS);
}

const isUnit = (text: string): text is keyof typeof UNITS => text in UNITS;

/** A seq of an event, from a flag. */
export function seqIn(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new UsageProblem(`--${flag} needs the number of an event`);
  return Number(text);
}

/** Wrong guesses allowed per address and minute: few for people at the sign-in page, more for programs with a stale token. */
export const SIGN_IN_FAILURES_PER_MINUTE = 10;
export const BEARER_FAILURES_PER_MINUTE = 100;
const WINDOW_MS = 60_000;
/** Maximum number of addresses remembered. After that the oldest are forgotten, so that a flood of addresses uses no more memory. */
const ADDRESSES_MAX = 10_000;

export interface FailureLimit {
  /** Seconds to wait before the next try is accepted, or 0. */
  waitSeconds(address: string): number;
  failed(address: string): void;
}

export function createFailureLimit(failuresPerMinute: number, now: () => number): FailureLimit {
  const windows = new Map<string, { failures: number; readonly endsAt: number }>();
  const current = (address: string) => {
    const window = windows.get(address);
    return window !== undefined && window.endsAt > now() ? window : undefined;
  };
  return {
    waitSeconds: (address) => {
      const window = current(address);
      return window !== undefined && window.failures >= failuresPerMinute ? Math.ceil((window.endsAt - now()) / 1000) : 0;
    },
    failed: (address) => {
      const window = current(address) ?? { failures: 0, endsAt: now() + WINDOW_MS };
      windows.delete(address);
      windows.set(address, { ...window, failures: window.failures + 1 });
      if (windows.size > ADDRESSES_MAX) forgetOldest(windows);
    },
  };
}

function forgetOldest(windows: Map<string, unknown>): void {
  const oldest = windows.keys().next();
  if (!oldest.done) windows.delete(oldest.value);
}

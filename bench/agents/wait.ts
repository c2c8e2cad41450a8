import { LIMIT_MS } from './test-agent.ts';

/** Waits for one thing at a time: it arrives, or the wait fails with a message. */
export interface Wait<T> {
  /** Resolves at the next match; call it before that can arrive. */
  next(what: string, matches: (thing: T) => boolean): Promise<void>;
  see(thing: T): void;
  /** Nothing more will arrive. */
  fail(why: string): void;
}

export function createWait<T>(who: string): Wait<T> {
  let see: ((thing: T) => void) | undefined;
  let fail: ((why: string) => void) | undefined;
  let failed: string | undefined;
  return {
    next: (what, matches) =>
      new Promise((resolve, reject) => {
        const settle = (finish: () => void): void => {
          clearTimeout(timer);
          see = undefined;
          fail = undefined;
          finish();
        };
        fail = (why) => settle(() => reject(new Error(`${who}: ${why} (while waiting for: ${what})`)));
        see = (thing) => {
          if (matches(thing)) settle(resolve);
        };
        const timer = setTimeout(() => fail?.(`no answer: no ${what} within ${LIMIT_MS / 1000} s`), LIMIT_MS);
        if (failed !== undefined) fail(failed);
      }),
    see: (thing) => see?.(thing),
    fail: (why) => {
      failed = why;
      fail?.(why);
    },
  };
}

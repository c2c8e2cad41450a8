import { LIMIT_MS } from './speaker.ts';

/** One thing at a time that is waited for: it comes, or it is said in words why not. */
export interface Wait<T> {
  /** The next one that fits; asked for before it can come. */
  next(what: string, fits: (thing: T) => boolean): Promise<void>;
  see(thing: T): void;
  /** Nothing more can come. */
  fail(why: string): void;
}

export function createWait<T>(who: string): Wait<T> {
  let see: ((thing: T) => void) | undefined;
  let fail: ((why: string) => void) | undefined;
  let failed: string | undefined;
  return {
    next: (what, fits) =>
      new Promise((resolve, reject) => {
        const settle = (finish: () => void): void => {
          clearTimeout(timer);
          see = undefined;
          fail = undefined;
          finish();
        };
        fail = (why) => settle(() => reject(new Error(`${who}: ${why} (${what} was waited for)`)));
        see = (thing) => {
          if (fits(thing)) settle(resolve);
        };
        const timer = setTimeout(() => fail?.(`does not answer: no ${what} within ${LIMIT_MS / 1000} s`), LIMIT_MS);
        if (failed !== undefined) fail(failed);
      }),
    see: (thing) => see?.(thing),
    fail: (why) => {
      failed = why;
      fail?.(why);
    },
  };
}

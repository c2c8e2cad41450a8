import { setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** bin/signalbox.mjs says why. Node 20.20 forgets it whenever a thread starts: each says it again for all. */
export const keepNurserySmall = (): void => setFlagsFromString('--semi-space-growth-factor=1');

/** Of all threads those who answer come first. */
const NICE = 10;

/** For a thread whose work nobody waits for. Elsewhere than on Linux it would be said of the whole server. */
export function comeLast(): void {
  if (process.platform === 'linux') setPriority(NICE);
}

/** Less work than this leaves too little behind to look for. */
const MUCH = 100;

/** A thread that rests collects nothing by itself: what it left behind after much work would stay for as long as the server lives. */
export class Leftovers {
  readonly #collect: () => void;
  #steps = 0;

  constructor() {
    setFlagsFromString('--expose-gc');
    const gc: unknown = runInNewContext('gc');
    this.#collect = typeof gc === 'function' ? () => void gc() : () => undefined;
  }

  worked(): void {
    this.#steps += 1;
  }

  rest(): void {
    // What is held until the first collection ends goes with the second.
    if (this.#steps >= MUCH) for (const _ of [1, 2]) this.#collect();
    this.#steps = 0;
  }
}

import { setPriority } from 'node:os';
import { collector } from '../../../bin/v8-flags.mjs';

/** A lower priority than the threads that answer people. */
const NICE = 10;

/** For a thread whose work nobody waits for. On systems other than Linux this would apply to the whole server. */
export function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(NICE);
}

/** Less work than this leaves too little garbage to collect. */
const MUCH = 100;

/** An idle thread doesn't collect garbage by itself: after a lot of work it would keep that memory for as long as the server runs. */
export class IdleGarbageCollector {
  readonly #collect = collector();
  #steps = 0;

  worked(): void {
    this.#steps += 1;
  }

  rest(): void {
    // What survives the first collection is freed by the second.
    if (this.#steps >= MUCH) for (const _ of [1, 2]) this.#collect();
    this.#steps = 0;
  }
}

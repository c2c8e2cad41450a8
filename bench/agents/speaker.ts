/** Somebody to whom a prompt can be given: the program alone, or behind the server. */
export interface Speaker {
  /** Milliseconds from the wish to have it until it could be spoken to. */
  readonly readyMs: number;
  /** Milliseconds from the prompt to the end of the turn. */
  say(prompt: string): Promise<number>;
  close(): Promise<void>;
}

/** An agent that has not answered by then is given up. The slowest takes 5 s to start on an idle machine, and half a minute on one with ten times too much to do. */
export const LIMIT_MS = 120_000;

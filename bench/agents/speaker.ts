/** Somebody to whom a prompt can be given: the program alone, or behind the server. */
export interface Speaker {
  /** Milliseconds from the wish to have it until it could be spoken to. */
  readonly readyMs: number;
  /** Milliseconds from the prompt to the end of the turn. */
  say(prompt: string): Promise<number>;
  close(): Promise<void>;
}

export const LIMIT_MS = 120_000;
